#!/usr/bin/env python3
"""Every library of src/ links the libraries that it uses, and no other: it includes their headers, or calls what they
define. From outside it links those whose headers it includes. The libraries' order has no circle, and
docs/architecture.md draws it as it is. None has a thread_local with a destructor (src/support/per_thread.hpp)."""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(os.environ["SALU_SOURCE_DIR"])
SOURCE = ROOT / "src"
LIBRARIES = pathlib.Path(os.environ["SALU_EXECUTABLE"]).parent.parent / "lib"
# What a library may link from outside, and the headers that it does so for.
OUTSIDE = {
    "Threads::Threads": r"thread|pthread\.h",
    "nlohmann_json::nlohmann_json": r"nlohmann/.*",
    "salu_dep::dw": r"elfutils/.*",
    "salu_dep::elf": r"g?elf\.h|libelf\.h",
    "salu_dep::fmt": r"fmt/.*",
    "salu_dep::yaml_cpp": r"yaml-cpp/.*",
}


def words_of(room):
    """What the call in the room's CMakeLists.txt says."""
    text = (SOURCE / room / "CMakeLists.txt").read_text()
    return re.search(r"salu_add_library\(" + room + r"\b([^)]*)\)", text).group(1).split()


def declared(room):
    """What DEPENDS of the room's CMakeLists.txt names."""
    words = words_of(room)
    if "DEPENDS" not in words:
        return set()
    words = words[words.index("DEPENDS") + 1:]
    return set(words[:words.index("PRIVATE")] if "PRIVATE" in words else words)


def declared_outside(room):
    """What PRIVATE names, without the generator expression that may be around it."""
    words = words_of(room)
    words = words[words.index("PRIVATE") + 1:] if "PRIVATE" in words else []
    return {re.sub(r"^\$<BUILD_INTERFACE:(.*)>$", r"\1", word) for word in words}


def included_outside(room):
    headers = set()
    for path in (SOURCE / room).rglob("*.[ch]pp"):
        headers.update(re.findall(r"^#include <([^>]+)>", path.read_text(), re.MULTILINE))
    return {target for target, pattern in OUTSIDE.items() if any(re.fullmatch(pattern, header) for header in headers)}


def included(room, rooms):
    names = set()
    for path in (SOURCE / room).rglob("*.[ch]pp"):
        names.update(re.findall(r'^#include "([a-z]+)/', path.read_text(), re.MULTILINE))
    return (names & rooms) - {room}


def symbols(room):
    """The symbols that a library defines, and those that it needs."""
    library = LIBRARIES / f"libsalu_{room}.a"
    output = subprocess.run(["nm", library], check=True, capture_output=True, text=True).stdout
    defined, needed = set(), set()
    for line in output.splitlines():
        words = line.split()
        if len(words) == 3 and words[1] in "TDRB":
            defined.add(words[2])
        elif len(words) == 2 and words[0] == "U":
            needed.add(words[1])
    return defined, needed


def misdrawn(rooms):
    """What the first two blocks of docs/architecture.md, floors and arrows, have otherwise than the build."""
    page = (ROOT / "docs" / "architecture.md").read_text()
    picture, arrows = re.findall(r"^```text\n(.*?)^```", page, re.MULTILINE | re.DOTALL)[:2]
    # The program is linked with all of the libraries.
    uses = {room: declared(room) for room in rooms} | {"apps/salu": set(rooms)}
    if "salu_all" not in (ROOT / "apps" / "salu" / "CMakeLists.txt").read_text():
        yield "apps/salu does not link salu_all any more"
    drawn = {}
    for line in arrows.splitlines():
        room, _, used = line.partition("->")
        drawn[room.strip()] = set(used.split()) - {"nothing"}
    for room in sorted(uses.keys() | drawn.keys()):
        wanted, found = (" ".join(sorted(arrows.get(room, {"?"}))) for arrows in (uses, drawn))
        if wanted != found:
            yield f"docs/architecture.md draws {room} -> {found}, and it is {wanted}"
    floors = {}
    for number, line in enumerate(picture.splitlines()):
        # What stands on the right of a floor explains it.
        for room in re.findall(r"[a-z/]+", line.rpartition("|")[0]):
            floors[room] = number
    if floors.keys() != uses.keys():
        yield f"docs/architecture.md has floors for {sorted(floors)}, and there are {sorted(uses)}"
        return
    for room in sorted(uses):
        for used in sorted(uses[room]):
            if floors[used] <= floors[room]:
                yield f"docs/architecture.md has {used} no lower than {room}, which uses it"


def main():
    rooms = {path.parent.name for path in SOURCE.glob("*/CMakeLists.txt")}
    defined_by, needed_by = {}, {}
    for room in sorted(rooms):
        defined, needed_by[room] = symbols(room)
        for symbol in defined:
            defined_by[symbol] = room
    wrong = []
    order = re.search(r"foreach\(folder ([a-z ]+)\)", (SOURCE / "CMakeLists.txt").read_text()).group(1).split()
    if set(order) != rooms:
        wrong.append(f"src/CMakeLists.txt adds {sorted(order)}, and there are {sorted(rooms)}")
    for room in order:
        used = included(room, rooms)
        used |= {defined_by[symbol] for symbol in needed_by[room] if symbol in defined_by} - {room}
        links = declared(room)
        if "__cxa_thread_atexit" in needed_by[room]:
            wrong.append(f"src/{room} has a thread_local with a destructor, which ends the program where memory runs out; "
                         "src/support/per_thread.hpp does not")
        for name in sorted(links - used):
            wrong.append(f"src/{room} links {name} and uses nothing of it")
        for name in sorted(used - links):
            wrong.append(f"src/{room} uses {name} and does not link it")
        for name in sorted(declared_outside(room) - included_outside(room)):
            wrong.append(f"src/{room} links {name} and includes nothing of it")
        for name in sorted(included_outside(room) - declared_outside(room)):
            wrong.append(f"src/{room} includes headers of {name} and does not link it")
        for name in sorted(links):
            if name not in order[:order.index(room)]:
                wrong.append(f"src/{room} links {name}, which src/CMakeLists.txt does not name before it")
    wrong.extend(misdrawn(rooms))
    print("\n".join(wrong) if wrong else f"{len(rooms)} libraries link what they use")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
