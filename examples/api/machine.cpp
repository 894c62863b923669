// A machine that is stepped and observed, a compiled function that is called with several arguments, and a session that
// goes backwards, from C++:
//   machine gcd.yaml isqrt.o
#include <salu/machine.hpp>
#include <salu/session.hpp>

#include <iostream>
#include <map>
#include <string>
#include <string_view>

namespace {

/// Counts executed instructions by mnemonic, and records the values of s0.
class Counter : public salu::Observer {
 public:
  void before(const salu::InstructionInputs& inputs) override { next = inputs.text; }
  void after(const salu::TraceEvent& event) override {
    ++counts[std::string(event.mnemonic)];
    for (const salu::LocationValue& value : event.written) {
      if (value.location.index == 0) values += " " + std::to_string(value.dwords[0]);
    }
  }

  std::map<std::string, int> counts;
  std::string values;
  std::string next;
};

bool fail(const salu::Error& error) {
  std::cerr << error.to_string() << "\n";
  return false;
}

/// Steps a scenario and runs it to its end.
bool observe(const std::string& path) {
  salu::Result<salu::Machine> machine = salu::Machine::load(path);
  if (!machine) return fail(machine.error());
  Counter counter;
  machine->add_observer(counter);

  machine->step();
  machine->step();
  std::cout << "after " << machine->steps() << " steps: " << machine->instruction() << "\n";
  const salu::Result<salu::u64> scc = machine->get("scc");
  if (!scc) return fail(scc.error());
  std::cout << "scc = " << *scc << "\n";

  if (const auto set = machine->set("s0", 48); !set) return fail(set.error());
  if (const auto set = machine->set("s1", 18); !set) return fail(set.error());
  const salu::Stop stop = machine->run({.max_steps = 1000});
  std::cout << stop.reason_name() << " after " << machine->steps()
            << " steps, gcd(48, 18) = " << machine->get("s0").value() << "\n";
  std::cout << counter.counts["s_sub_u32"] << " subtractions, s0 was" << counter.values << ", the last instruction was "
            << counter.next << "\n";
  return true;
}

/// Calls a compiled function with several arguments.
bool call(const std::string& path) {
  salu::Result<salu::Machine> loaded = salu::Machine::load(path, {.symbol = "isqrt"});
  if (!loaded) return fail(loaded.error());
  salu::Machine& machine = *loaded;
  const salu::WaveState start = machine.state();
  for (const salu::u64 argument : {15, 16, 1000000007}) {
    if (const auto restarted = machine.set_state(start); !restarted) return fail(restarted.error());
    if (const auto set = machine.set("s0", argument); !set) return fail(set.error());
    const salu::Stop stop = machine.run();
    if (stop.reason != salu::StopReason::returned) return false;
    std::cout << "isqrt(" << argument << ") = " << machine.get("s0").value() << "\n";
  }
  return true;
}

/// Walks through a scenario in both directions.
bool walk(const std::string& path) {
  salu::Result<salu::Session> session = salu::Session::load(path);
  if (!session) return fail(session.error());
  const salu::Result<salu::u32> watchpoint = session->watch("s0", salu::WatchKind::change, "s0 < 100");
  if (!watchpoint) return fail(watchpoint.error());

  salu::Pause pause = session->continue_();
  while (pause.reason == salu::PauseReason::watchpoint) {
    std::cout << "position " << pause.position << ": s0 = " << pause.watches.front().after << "\n";
    pause = session->continue_();
  }
  std::cout << salu::pause_reason_name(pause.reason) << " at position " << pause.position << "\n";

  pause = session->reverse_continue();
  std::cout << "back at position " << pause.position << ": " << session->instruction() << "\n";
  const salu::Result<salu::u64> sum = session->evaluate("s0 + s1");
  if (!sum) return fail(sum.error());
  std::cout << "s0 + s1 = " << *sum << "\n";

  const salu::Result<salu::WhyAnswer> why = session->why("s0", 2);
  if (!why) return fail(why.error());
  for (const salu::WhyStep& step : why->steps) std::cout << "step " << step.step << ": " << step.text << "\n";

  session->go_to(60);
  if (const auto set = session->set("s0", 21); !set) return fail(set.error());
  pause = session->go_to_end();
  std::cout << "with s0 = 21: " << salu::pause_reason_name(pause.reason) << " at position " << pause.position << "\n";
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  return observe(argv[1]) && call(argv[2]) && walk(argv[1]) ? 0 : 1;
}
