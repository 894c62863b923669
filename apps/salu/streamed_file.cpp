#include "streamed_file.hpp"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "exit_codes.hpp"
#include "output.hpp"

namespace salu::app {

Result<StreamedFile> StreamedFile::open(const std::string& path) {
  constexpr mode_t new_file_mode = 0666;
  StreamedFile file(path);
  // `begin` truncates an existing file; `close` removes a new file that stays empty.
  int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, new_file_mode);
  file.is_new_ = descriptor >= 0;
  if (descriptor < 0) descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, new_file_mode);
  file.file_.reset(descriptor < 0 ? nullptr : fdopen(descriptor, "wb"));
  if (!file.file_)
    return Error{ErrorCode::io, {path}, "cannot write the file: " + std::string(std::strerror(errno)), {}};
  // Unbuffered: the pieces are large.
  std::setvbuf(file.file_.get(), nullptr, _IONBF, 0);
  return file;
}

void StreamedFile::begin() {
  // Pipes and devices cannot be truncated.
  if (ftruncate(fileno(file_.get()), 0) != 0 && errno != EINVAL) fail();
  has_begun_ = true;
}

void StreamedFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) fail();
}

void StreamedFile::rewrite(long offset, std::string_view text) {
  if (std::fseek(file_.get(), offset, SEEK_SET) != 0) fail();
  write(text);
}

void StreamedFile::fail() const {
  const int error = errno == 0 ? EIO : errno;
  spdlog::error("{}: error: cannot write the file: {}", path_, std::strerror(error));
  end_at_once(exit_code::bad_input);
}

void StreamedFile::close() {
  const bool is_left_over = is_new_ && !has_begun_;
  if (std::fclose(file_.release()) != 0) fail();
  if (is_left_over) (void)::unlink(path_.c_str());
}

}  // namespace salu::app
