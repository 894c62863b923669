#include "proof/smtlib.hpp"

#include <fmt/core.h>

#include <array>
#include <iterator>
#include <set>

namespace salu::proof {
namespace {

/// Terms of 1 bit are Bools, all others bit vectors.
std::string sort_of(u32 width) { return width == 1 ? "Bool" : fmt::format("(_ BitVec {})", width); }

class Writer {
 public:
  Writer(const Terms& terms, bool products_are_functions)
      : terms_(terms), products_are_functions_(products_are_functions) {}

  SmtQuery write(TermId condition) {
    SmtQuery query;
    std::string body;
    std::set<u32> products;
    for (const TermId term : all_within(terms_, std::array{condition})) {
      const Terms::Node& node = terms_.node(term);
      if (node.op == Op::constant) continue;
      if (node.op == Op::input) {
        body += fmt::format("(declare-const {} {})\n", name(term), sort_of(node.width));
        query.inputs.push_back(static_cast<u32>(node.value));
        names_ += names_.empty() ? "" : " ";
        names_ += name(term);
        continue;
      }
      if (node.op == Op::product) products.insert(node.width);
      body += fmt::format("(define-fun {} () {} {})\n", name(term), sort_of(node.width), expression(term));
    }
    const bool has_functions = products_are_functions_ && !products.empty();
    query.text = "(set-option :produce-models true)\n";
    query.text += has_functions ? "(set-logic QF_UFBV)\n" : "(set-logic QF_BV)\n";
    if (has_functions) {
      for (const u32 width : products)
        query.text += fmt::format("(declare-fun product{0} ({1} {1}) {1})\n", width, sort_of(width));
    }
    query.text += body;
    query.text += fmt::format("(assert {})\n(check-sat)\n", reference(condition));
    if (!names_.empty()) query.text += fmt::format("(get-value ({}))\n", names_);
    return query;
  }

 private:
  [[nodiscard]] std::string name(TermId term) const {
    const Terms::Node& node = terms_.node(term);
    return node.op == Op::input ? fmt::format("input{}", node.value) : fmt::format("t{}", term);
  }
  [[nodiscard]] std::string reference(TermId term) const {
    if (!terms_.is_constant(term)) return name(term);
    if (terms_.width(term) == 1) return terms_.value(term) != 0 ? "true" : "false";
    return number(terms_.value(term), terms_.width(term));
  }
  static std::string number(u64 value, u32 width) { return fmt::format("(_ bv{} {})", value, width); }
  /// A term as a bit vector of any width.
  [[nodiscard]] std::string bits(TermId term) const {
    return terms_.width(term) == 1 ? fmt::format("(ite {} #b1 #b0)", reference(term)) : reference(term);
  }
  /// One operation on all operands; a single operand is returned unchanged.
  [[nodiscard]] static std::string all(const char* operation, const std::vector<std::string>& operands) {
    if (operands.size() == 1) return operands[0];
    std::string text = fmt::format("({}", operation);
    for (const std::string& operand : operands) text += " " + operand;
    return text + ")";
  }
  [[nodiscard]] std::vector<std::string> operands(TermId term) const {
    std::vector<std::string> texts;
    for (const TermId operand : terms_.operands(term)) texts.push_back(reference(operand));
    return texts;
  }
  [[nodiscard]] std::string expression(TermId term) const {
    const Terms::Node& node = terms_.node(term);
    const std::span<const TermId> of = terms_.operands(term);
    const bool is_bool = node.width == 1;
    const auto binary = [&](const char* operation) {
      return fmt::format("({} {} {})", operation, bits(of[0]), bits(of[1]));
    };
    switch (node.op) {
      case Op::conjunction:
        return all(is_bool ? "and" : "bvand", operands(term));
      case Op::disjunction:
        return all(is_bool ? "or" : "bvor", operands(term));
      case Op::exclusive: {
        std::string text = all(is_bool ? "xor" : "bvxor", operands(term));
        if (node.value == 0) return text;
        if (node.value == support::ones(node.width)) return fmt::format("({} {})", is_bool ? "not" : "bvnot", text);
        return fmt::format("(bvxor {} {})", text, number(node.value, node.width));
      }
      case Op::sum:
        return sum(term);
      case Op::product: {
        std::string text = reference(of[0]);
        const std::string operation = products_are_functions_ ? fmt::format("product{}", node.width) : "bvmul";
        for (const TermId operand : of.subspan(1))
          text = fmt::format("({} {} {})", operation, text, reference(operand));
        return text;
      }
      case Op::shift_left:
        return binary("bvshl");
      case Op::shift_right:
        return binary("bvlshr");
      case Op::shift_right_signed:
        return binary("bvashr");
      case Op::slice: {
        std::string text =
            fmt::format("((_ extract {} {}) {})", node.value + node.width - 1, node.value, reference(of[0]));
        return is_bool ? fmt::format("(= {} #b1)", text) : text;
      }
      case Op::join: {
        std::vector<std::string> parts;
        for (const TermId part : of) parts.push_back(bits(part));
        return all("concat", parts);
      }
      case Op::sign_extension:
        return fmt::format("((_ sign_extend {}) {})", node.width - terms_.width(of[0]), bits(of[0]));
      case Op::select:
        return fmt::format("(ite {} {} {})", reference(of[0]), reference(of[1]), reference(of[2]));
      case Op::equal:
        return binary("=");
      case Op::below:
        return binary("bvult");
      case Op::below_signed:
        return binary("bvslt");
      case Op::count_ones:
      case Op::leading_zeros:
      case Op::trailing_zeros:
        return count(node, bits(of[0]));
      case Op::constant:
      case Op::input:
        break;
    }
    return reference(term);
  }
  [[nodiscard]] std::string sum(TermId term) const {
    const Terms::Node& node = terms_.node(term);
    std::vector<std::string> parts;
    for (u32 i = 0; i < node.count; ++i) {
      const std::string operand = reference(terms_.operands(term)[i]);
      const u64 factor = terms_.coefficients(term)[i];
      parts.push_back(factor == 1 ? operand
                      : factor == support::ones(node.width)
                          ? fmt::format("(bvneg {})", operand)
                          : fmt::format("(bvmul {} {})", operand, number(factor, node.width)));
    }
    if (node.value != 0) parts.push_back(number(node.value, node.width));
    return all("bvadd", parts);
  }
  [[nodiscard]] static std::string count(const Terms::Node& node, const std::string& word) {
    const u32 width = node.width;
    const auto bit = [&word](u32 i) { return fmt::format("((_ extract {0} {0}) {1})", i, word); };
    if (node.op == Op::count_ones) {
      std::vector<std::string> parts;
      for (u32 i = 0; i < width; ++i) parts.push_back(fmt::format("((_ zero_extend {}) {})", width - 1, bit(i)));
      return all("bvadd", parts);
    }
    // The innermost `ite` tests the bit that is examined last.
    std::string text = number(width, width);
    for (u32 i = 0; i < width; ++i) {
      const u32 at = node.op == Op::leading_zeros ? i : width - 1 - i;
      text = fmt::format("(ite (= {} #b1) {} {})", bit(at), number(width - 1 - i, width), text);
    }
    return text;
  }

  const Terms& terms_;
  bool products_are_functions_;
  std::string names_;
};

}  // namespace

SmtQuery smt_query(const Terms& terms, TermId condition, bool products_are_functions) {
  return Writer(terms, products_are_functions).write(condition);
}

bool has_products(const Terms& terms, TermId term) {
  for (const TermId each : all_within(terms, std::array{term})) {
    if (terms.node(each).op == Op::product) return true;
  }
  return false;
}

}  // namespace salu::proof
