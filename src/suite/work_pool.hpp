#pragma once

#include <salu/for_each.hpp>
#include <salu/integer.hpp>

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace salu::suite {

/// Threads that share the parts of a job. Parts may be jobs themselves.
class WorkPool {
 public:
  /// Starts a pool of `threads` threads, including the caller of `for_each`; of fewer if the system refuses more.
  explicit WorkPool(u32 threads);
  ~WorkPool();
  WorkPool(const WorkPool&) = delete;
  WorkPool& operator=(const WorkPool&) = delete;
  WorkPool(WorkPool&&) = delete;
  WorkPool& operator=(WorkPool&&) = delete;

  /// See `ForEach`. May be called within a part.
  void for_each(std::size_t count, const PartWork& work);

 private:
  struct Job {
    const PartWork& work;
    std::size_t end;        ///< parts from here on are skipped
    std::size_t depth = 0;  ///< nesting depth: 0, or one more than that of the calling part
    std::size_t next = 0;
    std::size_t running = 0;
    std::exception_ptr problem{};  ///< thrown by part `end - 1`

    [[nodiscard]] bool has_parts() const { return next < end; }
  };

  /// Returns false if the system refuses a thread or memory for it.
  bool add_thread();
  void help_until_stopped();
  /// The innermost open job with parts left, of at least a depth; null if all are taken.
  Job* find_job(std::size_t least_depth);
  void do_part(Job& job, std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Job*> open_;  ///< with parts left or in progress
  bool stopping_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace salu::suite
