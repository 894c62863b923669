// Messages stay in English.
#ifndef SALU_SHIM_LIBINTL_H
#define SALU_SHIM_LIBINTL_H

#define dgettext(domain, text) ((char*)(text))
#define textdomain(domain) ((void)0)
#define bindtextdomain(domain, folder) ((void)0)

#endif
