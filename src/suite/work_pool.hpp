#pragma once

#include <salu/for_each.hpp>
#include <salu/integer.hpp>

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace salu::suite {

/// Threads that share the parts of a job, and of the jobs that such a part consists of itself.
class WorkPool {
 public:
  /// Of so many threads, the one that calls `for_each` included; of fewer when the system has no more.
  explicit WorkPool(u32 threads);
  ~WorkPool();
  WorkPool(const WorkPool&) = delete;
  WorkPool& operator=(const WorkPool&) = delete;
  WorkPool(WorkPool&&) = delete;
  WorkPool& operator=(WorkPool&&) = delete;

  /// See `ForEach`. May be called from within a part.
  void for_each(std::size_t count, const PartWork& work);

 private:
  struct Job {
    const PartWork& work;
    std::size_t end;        ///< parts from here on need not be done
    std::size_t depth = 0;  ///< 0, or one more than that of the job a part of which calls
    std::size_t next = 0;
    std::size_t running = 0;
    std::exception_ptr problem{};  ///< of part `end - 1`

    [[nodiscard]] bool has_parts() const { return next < end; }
  };

  /// False where the system has no more, or no memory for one.
  bool add_thread();
  void help_until_stopped();
  /// The innermost open job that has parts to do, from a depth on; null when there is none.
  Job* find_job(std::size_t least_depth);
  void do_part(Job& job, std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Job*> open_;  ///< with parts to do, or with somebody at work on one
  bool stopping_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace salu::suite
