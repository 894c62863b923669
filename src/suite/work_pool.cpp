#include "suite/work_pool.hpp"

#include <algorithm>
#include <new>
#include <system_error>

#include "support/threads.hpp"

namespace salu::suite {
namespace {

/// How deep the part is nested that this thread works on.
thread_local std::size_t current_depth = 0;

}  // namespace

WorkPool::WorkPool(u32 threads) {
  // Where the system has no more, those that there are do all of the work.
  for (u32 count = 1; count < threads; ++count) {
    if (!add_thread()) break;
  }
}

bool WorkPool::add_thread() {
  try {
    // A thread that there is no place for would be waited for without end.
    threads_.reserve(threads_.size() + 1);
    threads_.push_back(support::start_thread([this] { help_until_stopped(); }));
    return true;
  } catch (const std::system_error&) {
    return false;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

WorkPool::~WorkPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  threads_.clear();
}

void WorkPool::for_each(std::size_t count, const PartWork& work) {
  if (threads_.empty() || count <= 1) return for_each_in_turn(count, work);
  Job job{work, count, current_depth};
  std::unique_lock lock(mutex_);
  open_.push_back(&job);
  changed_.notify_all();
  while (job.has_parts() || job.running != 0) {
    // Whoever waits for others may help them where they have opened jobs of their own, but begins nothing that may
    // take longer than what it waits for.
    Job* const other = job.has_parts() ? &job : find_job(job.depth + 1);
    if (other != nullptr) {
      do_part(*other, lock);
    } else {
      changed_.wait(lock);
    }
  }
  std::erase(open_, &job);
  if (job.problem) std::rethrow_exception(job.problem);
}

void WorkPool::help_until_stopped() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (Job* const job = find_job(0)) {
      do_part(*job, lock);
    } else {
      changed_.wait(lock);
    }
  }
}

WorkPool::Job* WorkPool::find_job(std::size_t least_depth) {
  Job* deepest = nullptr;
  for (Job* job : open_) {
    if (!job->has_parts() || job->depth < least_depth) continue;
    if (deepest == nullptr || job->depth > deepest->depth) deepest = job;
  }
  return deepest;
}

void WorkPool::do_part(Job& job, std::unique_lock<std::mutex>& lock) {
  const std::size_t index = job.next++;
  ++job.running;
  lock.unlock();
  const std::size_t outer_depth = current_depth;
  current_depth = job.depth + 1;
  bool goes_on = false;
  std::exception_ptr problem;
  try {
    goes_on = job.work(index);
  } catch (...) {
    problem = std::current_exception();
  }
  current_depth = outer_depth;
  lock.lock();
  // Parts are begun in order: whatever has a smaller index is done or being done.
  if (!goes_on && index < job.end) {
    job.end = index + 1;
    job.problem = problem;
  }
  --job.running;
  if (!job.has_parts() && job.running == 0) changed_.notify_all();
}

}  // namespace salu::suite
