#include "pool/thread_pool.hpp"

#include <stdexcept>

namespace pool {

ThreadPool::ThreadPool(std::size_t threads) {
    if (threads == 0) throw std::invalid_argument("a pool needs at least one thread");
    for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() { stop(Stop::finish); }

void ThreadPool::post(std::function<void()> callable, int priority) { enqueue(std::move(callable), priority); }

void ThreadPool::enqueue(std::function<void()> run, int priority) {
    std::lock_guard lock(mutex_);
    if (stopping_) throw std::runtime_error("the pool is stopped");
    queue_.push({priority, std::move(run)});
    wake_.notify_one();
}

void ThreadPool::wait_idle() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return queue_.empty() && running_ == 0; });
}

std::size_t ThreadPool::stop(Stop how) {
    std::size_t dropped = 0;
    {
        std::lock_guard lock(mutex_);
        stopping_ = true;
        if (how == Stop::discard) {
            dropped = queue_.size();
            queue_ = {};
        }
    }
    wake_.notify_all();
    for (auto& thread : threads_) {
        if (thread.joinable()) thread.join();
    }
    return dropped;
}

std::size_t ThreadPool::pending() const {
    std::lock_guard lock(mutex_);
    return queue_.size();
}

std::size_t ThreadPool::failures() const { return failures_; }

void ThreadPool::work() {
    std::function<void()> run;
    for (;;) {
        {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
            if (queue_.empty()) return;
            run = queue_.top().run;
            queue_.pop();
        }
        ++running_;
        run();
        if (--running_ == 0) idle_.notify_all();
    }
}

}  // namespace pool
