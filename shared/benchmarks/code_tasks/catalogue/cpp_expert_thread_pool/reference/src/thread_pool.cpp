#include "pool/thread_pool.hpp"

#include <stdexcept>

namespace pool {

namespace {

/// The pool whose job this thread runs.
thread_local const ThreadPool* own_pool = nullptr;

}  // namespace

struct ThreadPool::Posted : Job {
    explicit Posted(std::function<void()> given) : callable(std::move(given)) {}
    bool run() override {
        try {
            callable();
            return true;
        } catch (...) {
            return false;
        }
    }
    std::function<void()> callable;
};

ThreadPool::ThreadPool(std::size_t threads) {
    if (threads == 0) throw std::invalid_argument("a pool needs at least one thread");
    threads_.reserve(threads);
    for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() { stop(Stop::finish); }

void ThreadPool::post(std::function<void()> callable, int priority) {
    enqueue(std::make_unique<Posted>(std::move(callable)), priority);
}

void ThreadPool::enqueue(std::unique_ptr<Job> job, int priority) {
    // `job` outlives the lock, so a refused callable is not destroyed under it.
    std::lock_guard lock(mutex_);
    if (stopping_) throw std::runtime_error("the pool is stopped");
    queue_.emplace(Place{priority, arrivals_++}, std::move(job));
    wake_.notify_one();
}

void ThreadPool::wait_idle() {
    refuse_own_job();
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return queue_.empty() && running_ == 0; });
}

std::size_t ThreadPool::stop(Stop how) {
    refuse_own_job();
    std::map<Place, std::unique_ptr<Job>> dropped;
    {
        std::unique_lock lock(mutex_);
        if (stopping_) {
            ended_.wait(lock, [this] { return stopped_; });
            return 0;
        }
        stopping_ = true;
        if (how == Stop::discard) dropped.swap(queue_);
        if (queue_.empty() && running_ == 0) idle_.notify_all();
    }
    wake_.notify_all();
    const std::size_t count = dropped.size();
    dropped.clear();
    for (auto& thread : threads_) thread.join();
    {
        std::lock_guard lock(mutex_);
        stopped_ = true;
        ended_.notify_all();
    }
    return count;
}

std::size_t ThreadPool::pending() const {
    std::lock_guard lock(mutex_);
    return queue_.size();
}

std::size_t ThreadPool::failures() const {
    std::lock_guard lock(mutex_);
    return failures_;
}

void ThreadPool::refuse_own_job() const {
    if (own_pool == this) throw std::logic_error("a job cannot wait for its own pool");
}

void ThreadPool::work() {
    own_pool = this;
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
        if (queue_.empty()) return;
        auto job = std::move(queue_.begin()->second);
        queue_.erase(queue_.begin());
        ++running_;
        lock.unlock();
        const bool went_well = job->run();
        if (!went_well) {
            std::lock_guard counting(mutex_);
            ++failures_;
        }
        job.reset();
        lock.lock();
        --running_;
        if (queue_.empty() && running_ == 0) idle_.notify_all();
    }
}

}  // namespace pool
