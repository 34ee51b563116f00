#include <atomic>
#include <chrono>
#include <climits>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <unistd.h>
#include <cstdio>
#include <string>
#include <vector>

namespace {

std::string json(bool value) { return value ? "true" : "false"; }
std::string json(int value) { return std::to_string(value); }
std::string json(long long value) { return std::to_string(value); }
std::string json(std::size_t value) { return std::to_string(value); }
std::string json(const std::string& text) {
    std::string quoted = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted + "\"";
}
std::string json(const char* text) { return json(std::string(text)); }

template <class Value>
std::string json(const std::vector<Value>& values) {
    std::string text;
    for (const Value& value : values) text += (text.empty() ? "" : ",") + json(value);
    return "[" + text + "]";
}

template <class... Values>
std::string list(const Values&... values) {
    std::string text;
    ((text += (text.empty() ? "" : ",") + json(values)), ...);
    return "[" + text + "]";
}

void observe(const std::string& name, const std::string& value) {
    std::printf("\n@@ %s %s\n", name.c_str(), value.c_str());
    std::fflush(stdout);
}

}  // namespace

#include "pool/thread_pool.hpp"

using pool::Stop;
using pool::ThreadPool;

namespace {

/// Holds one thread of a pool until it is opened.
struct Gate {
    std::promise<void> entered, opened;
    std::shared_future<void> open_future = opened.get_future().share();
    explicit Gate(ThreadPool& jobs) {
        jobs.post([this] {
            entered.set_value();
            open_future.wait();
        }, INT_MAX);
        entered.get_future().wait();
    }
    void open() { opened.set_value(); }
};

template <class Exception, class Action>
std::string text_of(Action action) {
    try {
        action();
    } catch (const Exception& error) {
        return error.what();
    } catch (...) {
        return "something else";
    }
    return "nothing";
}

bool is_broken(std::future<int>& future) {
    try {
        future.get();
    } catch (const std::future_error& error) {
        return error.code() == std::future_errc::broken_promise;
    }
    return false;
}

/// Asks its pool when it is destroyed.
struct Witness {
    ThreadPool& jobs;
    std::atomic<long long>& seen;
    Witness(ThreadPool& pool, std::atomic<long long>& count) : jobs(pool), seen(count) {}
    ~Witness() { seen += jobs.pending() + jobs.failures() < 1000 ? 100 : 1; }
};

void results() {
    {
        ThreadPool jobs(3);
        std::vector<std::future<long long>> futures;
        for (long long i = 0; i < 200; ++i) futures.push_back(jobs.submit([i] { return i * i; }, static_cast<int>(i % 7)));
        long long sum = 0;
        for (auto& future : futures) sum += future.get();
        auto owned = std::make_unique<int>(41);
        auto moved = jobs.submit([owned = std::move(owned)] { return std::make_unique<int>(*owned + 1); });
        auto nothing = jobs.submit([] {});
        auto throwing = jobs.submit([]() -> int { throw std::out_of_range("page 12 is not there"); });
        nothing.get();
        observe("values", list(sum, *moved.get(), text_of<std::out_of_range>([&] { throwing.get(); }), jobs.failures()));
    }
    {
        ThreadPool jobs(1);
        std::vector<int> order;
        Gate gate(jobs);
        for (int i = 0; i < 40; ++i) jobs.post([&order, i] { order.push_back(i); });
        const auto waiting = jobs.pending();
        gate.open();
        jobs.wait_idle();
        observe("arrival", list(waiting, order, jobs.pending()));
    }
    {
        ThreadPool jobs(1);
        std::vector<int> order;
        Gate gate(jobs);
        const int priorities[] = {0, 5, -3, 5, INT_MIN, 0, 7, INT_MAX, -3, 5, 0, INT_MAX, INT_MIN, 7};
        int number = 0;
        for (int priority : priorities) {
            const int mine = number++;
            if (mine % 2) jobs.post([&order, mine] { order.push_back(mine); }, priority);
            else jobs.submit([&order, mine] { order.push_back(mine); return mine; }, priority);
        }
        jobs.post([&] {
            order.push_back(100);
            jobs.post([&] { order.push_back(102); }, 6);
            jobs.post([&] { order.push_back(101); }, 8);
            jobs.post([&] { order.push_back(103); }, 5);
        }, 9);
        gate.open();
        jobs.wait_idle();
        observe("priorities", list(order));
    }
    {
        ThreadPool jobs(2);
        std::atomic<int> ran{0};
        for (int i = 0; i < 60; ++i) {
            jobs.post([&ran, i] {
                ++ran;
                if (i % 3 == 0) throw std::runtime_error("torn paper");
                if (i % 10 == 1) throw i;
            });
        }
        auto bad = jobs.submit([]() -> int { throw 7; });
        jobs.wait_idle();
        int thrown = 0;
        try { bad.get(); } catch (int value) { thrown = value; }
        const auto after = jobs.submit([] { return 11; }).get();
        observe("failures", list(ran.load(), jobs.failures(), thrown, after));
    }
    observe("refusals", list(text_of<std::invalid_argument>([] { ThreadPool none(0); })));
}

void waiting() {
    {
        long long total = 0, early = 0;
        for (int round = 0; round < 400; ++round) {
            ThreadPool jobs(3);
            std::atomic<int> done{0};
            for (int i = 0; i < 8; ++i) {
                jobs.post([&] {
                    if (done.load() % 2) std::this_thread::yield();
                    jobs.post([&] { std::this_thread::yield(); ++done; });
                    ++done;
                });
            }
            jobs.wait_idle();
            early += done.load() != 16;
            total += done.load();
        }
        observe("rounds", list(total, early));
    }
    {
        ThreadPool jobs(2);
        long long sum = 0;
        std::vector<int> left;
        for (int round = 0; round < 2000; ++round) {
            std::atomic<int> counter{0};
            jobs.post([&] { ++counter; });
            if (round % 2) jobs.post([&] { ++counter; });
            jobs.wait_idle();
            sum += counter.load();
            if (jobs.pending()) left.push_back(round);
        }
        observe("again", list(sum, left));
    }
    {
        ThreadPool jobs(2);
        Gate gate(jobs);
        std::atomic<int> woken{0}, after{0};
        std::vector<std::thread> waiters;
        for (int i = 0; i < 5; ++i) {
            waiters.emplace_back([&] {
                jobs.wait_idle();
                after += woken.load() ? 1 : 0;
            });
        }
        for (int i = 0; i < 10; ++i) jobs.post([] {});
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        woken = 1;
        gate.open();
        for (auto& waiter : waiters) waiter.join();
        observe("waiters", list(after.load(), jobs.pending()));
    }
    {
        std::vector<std::size_t> owners;
        std::atomic<long long> seen{0};
        ThreadPool jobs(1);
        for (int i = 0; i < 5; ++i) {
            auto token = std::make_shared<int>(i);
            jobs.post([token] { if (*token % 2) throw 1; });
            jobs.wait_idle();
            owners.push_back(static_cast<std::size_t>(token.use_count()));
            auto future = jobs.submit([token] { return *token; });
            jobs.wait_idle();
            owners.push_back(static_cast<std::size_t>(token.use_count()));
            owners.push_back(future.wait_for(std::chrono::seconds(0)) == std::future_status::ready ? 1 : 0);
        }
        jobs.post([witness = std::make_shared<Witness>(jobs, seen)] {});
        jobs.submit([witness = std::make_unique<Witness>(jobs, seen)] { return 1; });
        jobs.wait_idle();
        observe("captured", list(owners, seen.load(), jobs.failures()));
    }
    {
        ThreadPool jobs(2), others(1);
        auto own = jobs.submit([&] { return text_of<std::logic_error>([&] { jobs.wait_idle(); }); });
        auto stop = jobs.submit([&] { return text_of<std::logic_error>([&] { jobs.stop(Stop::discard); }); });
        auto foreign = jobs.submit([&] {
            auto answer = others.submit([] { return 5; });
            others.wait_idle();
            return answer.get() + static_cast<int>(others.stop(Stop::finish));
        });
        const auto first = own.get(), second = stop.get();
        const int third = foreign.get();
        const int still = jobs.submit([] { return 8; }).get();
        observe("own_pool", list(first, second, third, still, text_of<std::runtime_error>([&] { others.post([] {}); })));
    }
}

void stopping() {
    {
        ThreadPool jobs(1);
        std::vector<int> order;
        Gate gate(jobs);
        for (int i = 0; i < 6; ++i) jobs.post([&order, i] { order.push_back(i); }, i % 3);
        std::string inside;
        jobs.post([&] { inside = text_of<std::runtime_error>([&] { jobs.post([] {}); }); }, -1);
        std::thread opener([&] {
            while (text_of<std::runtime_error>([&] { jobs.submit([] {}, INT_MIN); }) == "nothing") std::this_thread::yield();
            gate.open();
        });
        const auto dropped = jobs.stop(Stop::finish);
        opener.join();
        jobs.wait_idle();
        observe("finish", list(dropped, order, inside, jobs.pending(), jobs.stop(Stop::discard), text_of<std::runtime_error>([&] { jobs.submit([] { return 1; }); })));
    }
    {
        ThreadPool jobs(2);
        Gate first(jobs), second(jobs);
        std::atomic<int> ran{0};
        std::atomic<long long> seen{0};
        std::vector<std::future<int>> futures;
        for (int i = 0; i < 9; ++i) futures.push_back(jobs.submit([&ran, i] { ++ran; return i; }, i));
        jobs.post([&ran, witness = std::make_shared<Witness>(jobs, seen)] { ++ran; });
        auto kept = std::make_shared<int>(3);
        jobs.post([&ran, kept] { ++ran; });
        std::thread waiter([&] { jobs.wait_idle(); });
        std::thread opener([&] {
            while (jobs.pending()) std::this_thread::yield();
            first.open();
            second.open();
        });
        const auto dropped = jobs.stop(Stop::discard);
        opener.join();
        waiter.join();
        int broken = 0;
        for (auto& future : futures) broken += is_broken(future);
        observe("discard", list(dropped, ran.load(), broken, seen.load(), static_cast<std::size_t>(kept.use_count()), jobs.stop(Stop::finish)));
    }
    {
        long long dropped = 0, ran_total = 0, accepted = 0;
        for (int round = 0; round < 150; ++round) {
            ThreadPool jobs(3);
            std::atomic<int> ran{0};
            std::atomic<long long> lost{0};
            for (int i = 0; i < 20; ++i) jobs.post([&ran] { ++ran; });
            std::latch start(3);
            std::vector<std::thread> stoppers;
            for (int i = 0; i < 3; ++i) {
                stoppers.emplace_back([&, i] {
                    start.arrive_and_wait();
                    lost += static_cast<long long>(jobs.stop(i == 1 ? Stop::discard : Stop::finish));
                    if (ran.load() + lost.load() > 20) lost += 1000;
                });
            }
            for (auto& stopper : stoppers) stopper.join();
            accepted += ran.load() + lost.load();
            dropped += lost.load() > 20;
            ran_total += jobs.pending();
        }
        observe("many_stops", list(accepted, dropped, ran_total));
    }
    {
        std::atomic<int> ran{0};
        {
            ThreadPool jobs(2);
            for (int i = 0; i < 50; ++i) jobs.post([&ran] { ++ran; if (ran % 4 == 0) throw 1; });
        }
        const int by_destructor = ran.load();
        ThreadPool jobs(1);
        Gate gate(jobs);
        auto waiting = jobs.submit([] { return 3; });
        std::atomic<bool> dropped{false};
        std::thread opener([&] {
            while (jobs.pending()) std::this_thread::yield();
            dropped = true;
            gate.open();
        });
        const auto count = jobs.stop(Stop::discard);
        opener.join();
        observe("destructor", list(by_destructor, count, is_broken(waiting), dropped.load()));
    }
}

}  // namespace

int main(int, char** arguments) {
    alarm(20);  // a pool that hangs must not hang us
    const std::string name = arguments[1];
    if (name == "results") results();
    if (name == "waiting") waiting();
    if (name == "stopping") stopping();
}
