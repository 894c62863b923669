#!/usr/bin/env bash
# examples/slurm on a real Slurm: one node on the loopback device, with its own configuration, key, ports and daemons,
# which are removed at the end. It needs no systemd, no cgroups and no accounting.
set -euo pipefail
work=$(mktemp -d "${TMPDIR:-/tmp}/salu-slurm.XXXXXX")
daemons=()

finish() {
  local code=$? pid
  trap - EXIT
  ((code == 0)) || tail -n 30 "$work"/*.log 2>/dev/null || true
  timeout 5 scancel --quiet --user="$(id -un)" 2>/dev/null || true
  for pid in "${daemons[@]}"; do kill "$pid" 2>/dev/null || true; done
  # They get five seconds to end their own children.
  for _ in {1..50}; do
    kill -0 "${daemons[@]}" 2>/dev/null || break
    sleep 0.1
  done
  for pid in "${daemons[@]}"; do kill -KILL "$pid" 2>/dev/null || true; done
  wait
  rm -rf "$work"
  exit "$code"
}
trap finish EXIT
trap 'exit 130' INT TERM HUP
trap 'echo "line $LINENO: does not hold: $BASH_COMMAND"' ERR

# start DAEMON ARGUMENT...: starts a daemon that ends with this script, even if the script is killed.
start() {
  setpriv --pdeathsig TERM "$@" >"$work/$1.err.log" 2>&1 &
  daemons+=($!)
}

# until_true SECONDS WHAT COMMAND...
until_true() {
  local deadline=$((SECONDS + $1)) what=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    if ((SECONDS > deadline)); then
      echo "$what: not within the time it was given: $*"
      "$@" || true
      return 1
    fi
    sleep 0.1
  done
}

read -r controller_port node_port < <(python3 -c '
import socket
sockets = [socket.socket() for _ in range(2)]
for one in sockets: one.bind(("127.0.0.1", 0))
print(*[one.getsockname()[1] for one in sockets])')
user=$(id -un)
node=$(uname -n)
node=${node%%.*}
mkdir "$work"/{controller,node}
chmod 755 "$work"

cat >"$work/slurm.conf" <<CONF
ClusterName=salu-test
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$controller_port
SlurmdPort=$node_port
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
ReturnToService=2
StateSaveLocation=$work/controller
SlurmdSpoolDir=$work/node
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmdParameters=config_overrides
NodeName=$node NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$node Default=YES State=UP
CONF
# Cgroups are not used. With this setting slurmd does not search for their version, which fails if no cgroup file system
# is mounted.
echo CgroupPlugin=cgroup/v1 >"$work/cgroup.conf"
export SLURM_CONF=$work/slurm.conf
PATH=$PATH:/usr/sbin

head -c 128 /dev/urandom >"$work/munge.key"
chmod 400 "$work/munge.key"
# --force: all users can write to /tmp, and munged otherwise rejects such folders above its files.
start munged --foreground --force --key-file="$work/munge.key" --socket="$work/munge.socket" --pid-file="$work/munged.pid" \
  --log-file="$work/munged.log" --seed-file="$work/munge.seed"
until_true 10 munged test -S "$work/munge.socket"
start slurmctld -D -i -f "$SLURM_CONF" -L "$work/slurmctld.log"
until_true 20 slurmctld scontrol ping
start slurmd -D -f "$SLURM_CONF" -N "$node" -L "$work/slurmd.log"
node_is_idle() { [[ $(sinfo --noheader --format=%T) == idle ]]; }
until_true 20 slurmd node_is_idle

export SALU=$SALU_EXECUTABLE
run_suite=$SALU_SOURCE_DIR/examples/slurm/run-suite.sh
cd "$work"
ln -s "$SALU_SOURCE_DIR/programs" programs
ln -s "$SALU_SOURCE_DIR/examples/ctest/scenarios/tables" tables
"$SALU" test --quiet --shard 1/1 --junit whole.xml --coverage whole.info programs tables >whole.txt

started=$SECONDS
timeout 60 "$run_suite" 4 out programs tables | tee summary
echo "an array of four took $((SECONDS - started)) seconds"
cmp whole.info out/suite.info
[[ $(grep -c '<testcase ' out/suite.xml) == "$(grep -c '<testcase ' whole.xml)" ]]
[[ $(cut -d: -f1 whole.txt) == "$(grep -c '<testcase ' out/suite.xml) test"* ]]
grep -q '<testsuite .*failures="0" errors="0"' out/suite.xml
# Each of the four tasks has run its own shard.
[[ $(grep -o '; shard [1-4] of 4' summary | sort -u | wc -l) == 4 ]]

# A failure in one task is a failure of the whole run, and is in the report.
mkdir wrong
sed 's/{s0: 21, s1: 21, scc: 1}/{s0: 22, s1: 21, scc: 1}/' programs/gcd.yaml >wrong/gcd.yaml
cp programs/popcount.yaml wrong/
code=0
timeout 60 "$run_suite" 2 out wrong >summary || code=$?
[[ $code == 1 ]] || { echo "exit code $code, expected 1"; exit 1; }
grep -q '<testsuite .*tests="2" failures="1" errors="0"' out/suite.xml || { cat out/suite.xml; exit 1; }

# exits CODE TEXT ARGUMENT...
exits() {
  local code=0
  timeout 60 "$run_suite" "${@:3}" >summary 2>&1 || code=$?
  [[ $code == "$1" && $(<summary) == *"$2"* ]] || { echo "run-suite.sh ${*:3}: exit code $code, expected $1, and '$2'"; cat summary; exit 1; }
}
# A partition that does not exist; a filter that matches no test in any task; an option that does not exist.
SBATCH_PARTITION=nowhere exits 3 'no task has run' 2 out wrong
[[ ! -e out/suite.xml ]]
exits 2 'no test matches tpyo' 2 out -k tpyo wrong
exits 2 --frobnicate 2 out --frobnicate wrong

# One of four tasks runs again. Alone it does not know the number of tasks, and does not guess.
timeout 60 "$run_suite" 4 out programs tables >summary
rm out/parts/3.*
task=("$SALU_SOURCE_DIR/examples/slurm/salu-suite.sbatch" out/parts)
code=0
timeout 60 sbatch --quiet --wait --array=3 --output=out/parts/%a.log "${task[@]}" programs tables || code=$?
[[ $code == 2 && $(<out/parts/3.log) == *'the only task of its job array'* && ! -e out/parts/3.xml ]] || { cat out/parts/3.log; exit 1; }
timeout 60 sbatch --quiet --wait --array=3 --output=out/parts/%a.log "${task[@]}" --shard 3/4 programs tables
"$SALU_SOURCE_DIR/examples/slurm/merge.py" again.info out/parts/*.info
cmp whole.info again.info

# Runs the commands of the page for a reader who has salu in the directory that the page names.
mkdir -p tree/examples home/.local/bin
cp -r "$SALU_SOURCE_DIR/examples/slurm" tree/examples/
ln -s "$SALU_SOURCE_DIR/programs" tree/
ln -s "$SALU" home/.local/bin/salu
awk '/^```/ { inside = !inside; next } inside' tree/examples/slurm/README.md >commands
grep -q run-suite.sh commands
(unset SALU && cd tree/examples/slurm && HOME=$work/home timeout 60 bash -e "$work/commands" >summary 2>&1) || { cat tree/examples/slurm/summary; exit 1; }
grep -q '<testsuite .*failures="0" errors="0"' tree/examples/slurm/out/suite.xml
tr -s '\n ' ' ' <tree/examples/slurm/README.md | grep -qF -- '-k loop --strict ../../programs'
exits 0 ' 0 failures, 0 errors' 4 out -k loop --strict programs
