#include "observe/undefined/origins.hpp"

#include <string_view>

namespace salu::observe::undefined {

OriginId Origins::add(const Origin& origin) {
  const Key key{origin.kind, origin.pc, origin.place.index, origin.place.address, origin.from};
  const bool is_skipped = origin.kind == Origin::Kind::skipped_vector || (origin.from & skipped_bit) != 0;
  const OriginId next = static_cast<OriginId>(all_.size() + 1) | (is_skipped ? skipped_bit : 0);
  const auto [place, is_new] = ids_.try_emplace(key, next);
  if (is_new) all_.push_back(origin);
  return place->second;
}

OriginId Origins::begin(Origin::Kind kind, u64 pc, const Location& place, u64 step) {
  return add({kind, pc, place, step});
}

OriginId Origins::derive_anew(OriginId from, u64 pc, u64 step) {
  // A loop in which an instruction reads its own result does not make the chain longer.
  for (OriginId id = from; id != 0; id = (*this)[id].from) {
    const Origin& link = (*this)[id];
    if (link.kind == Origin::Kind::derived && link.pc == pc) return id;
  }
  const Origin& made_of = (*this)[from];
  Origin origin{Origin::Kind::derived, pc, {}, step, from, made_of.links + 1, made_of.leaves_out};
  if (origin.links > most_links) {
    while ((*this)[origin.from].from != 0) origin.from = (*this)[origin.from].from;
    origin.links = 1;
    origin.leaves_out = true;
  }
  return add(origin);
}

const Origin& Origins::first(OriginId id) const {
  while ((*this)[id].from != 0) id = (*this)[id].from;
  return (*this)[id];
}

std::string_view origin_name(Origin::Kind kind) {
  switch (kind) {
    case Origin::Kind::never_written:
      return "never written";
    case Origin::Kind::uninitialised_memory:
      return "uninitialised memory";
    case Origin::Kind::given:
      return "given as undefined";
    case Origin::Kind::skipped_vector:
      return "skipped vector instruction";
    case Origin::Kind::unspecified_result:
      return "unspecified result";
    case Origin::Kind::approximate_result:
      return "approximate result";
    case Origin::Kind::assumed:
      return "assumed result";
    case Origin::Kind::derived:
      break;
  }
  return "derived";
}

}  // namespace salu::observe::undefined
