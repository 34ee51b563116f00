#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace pool {

/// What becomes of the jobs that wait when a pool is stopped.
enum class Stop { finish, discard };

/// Threads that run jobs, the most urgent first.
class ThreadPool {
public:
    explicit ThreadPool(std::size_t threads);
    ~ThreadPool();

    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    /// Runs `callable` on one of the threads; the future gives what it returns or throws.
    template <class Callable>
    auto submit(Callable&& callable, int priority = 0) -> std::future<std::invoke_result_t<std::decay_t<Callable>>> {
        using Result = std::invoke_result_t<std::decay_t<Callable>>;
        auto task = std::make_shared<std::packaged_task<Result()>>(std::forward<Callable>(callable));
        auto future = task->get_future();
        enqueue([task] { (*task)(); }, priority);
        return future;
    }

    /// Runs `callable` on one of the threads; nobody hears of its result.
    void post(std::function<void()> callable, int priority = 0);

    /// Returns when no job waits or runs.
    void wait_idle();

    /// Ends all threads. Returns how many jobs were dropped.
    std::size_t stop(Stop how);

    /// Jobs that wait for a thread.
    std::size_t pending() const;

    /// Posted jobs that threw.
    std::size_t failures() const;

private:
    struct Job {
        int priority;
        std::function<void()> run;
        bool operator<(const Job& other) const { return priority < other.priority; }
    };

    void enqueue(std::function<void()> run, int priority);
    void work();

    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable idle_;
    std::priority_queue<Job> queue_;
    std::vector<std::thread> threads_;
    std::atomic<std::size_t> running_{0};
    std::atomic<std::size_t> failures_{0};
    bool stopping_ = false;
};

}  // namespace pool
