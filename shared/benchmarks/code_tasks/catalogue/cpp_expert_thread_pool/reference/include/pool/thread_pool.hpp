#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
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
        std::packaged_task<Result()> task(std::forward<Callable>(callable));
        auto future = task.get_future();
        enqueue(std::make_unique<Submitted<Result>>(std::move(task)), priority);
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
        virtual ~Job() = default;
        /// Whether it went well, as far as the pool is concerned.
        virtual bool run() = 0;
    };

    template <class Result>
    struct Submitted : Job {
        explicit Submitted(std::packaged_task<Result()> given) : task(std::move(given)) {}
        bool run() override {
            task();
            return true;
        }
        std::packaged_task<Result()> task;
    };

    struct Posted;

    /// Descending priority, then order of arrival.
    struct Place {
        int priority;
        std::uint64_t arrival;
        bool operator<(const Place& other) const {
            return priority != other.priority ? priority > other.priority : arrival < other.arrival;
        }
    };

    void enqueue(std::unique_ptr<Job> job, int priority);
    void refuse_own_job() const;
    void work();

    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::condition_variable idle_;
    std::condition_variable ended_;
    std::map<Place, std::unique_ptr<Job>> queue_;
    std::vector<std::thread> threads_;
    std::uint64_t arrivals_ = 0;
    std::size_t running_ = 0;
    std::size_t failures_ = 0;
    bool stopping_ = false;
    bool stopped_ = false;
};

}  // namespace pool
