#include "suite/work_pool.hpp"

#include <algorithm>
#include <new>
#include <system_error>

#include "support/threads.hpp"

namespace salu::suite {
namespace {

/// The nesting depth of the part on this thread.
thread_local std::size_t current_depth = 0;

}  // namespace

WorkPool::WorkPool(u32 threads) {
  // If the system refuses more threads, the others do all the work.
  for (u32 count = 1; count < threads; ++count) {
    if (!add_thread()) break;
  }
}

bool WorkPool::add_thread() {
  try {
    // Reserved first: a started thread that could not be stored would never be joined.
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
    // A waiting thread helps with nested jobs, but does not start parts that may take longer than its wait.
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
  // Parts are started in order: those with a smaller index are complete or in progress.
  if (!goes_on && index < job.end) {
    job.end = index + 1;
    job.problem = problem;
  }
  --job.running;
  if (!job.has_parts() && job.running == 0) changed_.notify_all();
}

}  // namespace salu::suite
