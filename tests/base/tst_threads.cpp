// SPDX-License-Identifier: Apache-2.0
// The pool: every index exactly once, for many counts, grains and numbers of threads; loops inside loops; and bodies
// that run out of memory.
#include "base/threads.h"

#include <QtTest>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <new>
#include <numeric>
#include <thread>
#include <vector>

using namespace coterie::engine;

class TestThreads : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void defaultIsSensible() {
        QVERIFY(defaultThreads() >= 1);
        QVERIFY(defaultThreads() <= 4096);
    }

    void numberOfThreads() {
        QCOMPARE(ThreadPool(1).threads(), 1);
        QCOMPARE(ThreadPool(3).threads(), 3);
        QCOMPARE(ThreadPool(0).threads(), 1);
        QCOMPARE(ThreadPool(-5).threads(), 1);
    }

    void everyIndexOnce_data() {
        QTest::addColumn<int>("threads");
        for (const int threads : {1, 2, 3, 4, 7, 16}) QTest::addRow("%d threads", threads) << threads;
    }
    void everyIndexOnce() {
        QFETCH(int, threads);
        ThreadPool pool(threads);
        for (const int64_t count : {0, 1, 2, 3, 7, 8, 64, 1000, 4097})
            for (const int64_t grain : {-1, 0, 1, 2, 3, 16, 999, 5000}) {
                std::vector<int> seen(static_cast<size_t>(count),
                                      0); // plain integers: two threads on one index would be a race
                std::atomic<int> wrong{0};
                pool.parallelFor(count, grain, [&](int64_t begin, int64_t end, int thread) {
                    wrong += begin < 0 || begin >= end || end > count || thread < 0 || thread >= pool.threads();
                    wrong += end - begin > std::max<int64_t>(grain, 1);
                    for (int64_t i = begin; i < end; ++i) ++seen[static_cast<size_t>(i)];
                });
                QCOMPARE(wrong.load(), 0);
                QCOMPARE(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(count));
            }
    }

    /// Each loop reads what the loop before it wrote: the order between them holds.
    void loopsFollowEachOther() {
        ThreadPool pool(4);
        constexpr int64_t count = 257;
        std::vector<int64_t> a(count, 0), b(count, 0);
        for (int round = 0; round < 3000; ++round) {
            pool.parallelFor(count, 16, [&](int64_t begin, int64_t end, int) {
                for (int64_t i = begin; i < end; ++i)
                    b[static_cast<size_t>(i)] = a[static_cast<size_t>((i + 1) % count)] + 1;
            });
            a.swap(b);
        }
        QCOMPARE(std::accumulate(a.begin(), a.end(), int64_t{0}), 3000 * count);
    }

    /// No two threads have the same number at once: the forward pass keeps scratch memory for each number.
    void noThreadNumberTwiceAtOnce() {
        ThreadPool pool(8);
        std::vector<std::atomic<int>> busy(8);
        std::atomic<int> clashes{0};
        for (int round = 0; round < 200; ++round)
            pool.parallelFor(64, 1, [&](int64_t, int64_t, int thread) {
                clashes += busy[static_cast<size_t>(thread)].fetch_add(1) != 0;
                busy[static_cast<size_t>(thread)].fetch_sub(1);
            });
        QCOMPARE(clashes.load(), 0);
    }

    void aLoopInsideALoop() {
        ThreadPool pool(4);
        std::atomic<int64_t> sum{0};
        std::atomic<int> wrong{0};
        pool.parallelFor(20, 1, [&](int64_t, int64_t, int outer) {
            pool.parallelFor(30, 7, [&](int64_t begin, int64_t end, int inner) {
                wrong += inner != outer;
                sum += end - begin;
            });
        });
        QCOMPARE(sum.load(), int64_t{600});
        QCOMPARE(wrong.load(), 0);
        // A pool inside another pool's loop uses its own thread numbers.
        ThreadPool small(2);
        pool.parallelFor(2, 2, [&](int64_t, int64_t, int) {
            small.parallelFor(10, 1, [&](int64_t, int64_t, int thread) { wrong += thread >= 2; });
        });
        QCOMPARE(wrong.load(), 0);
    }

    /// Two pieces that wait for each other need two threads, so sleeping threads are woken. The loop ends only when the
    /// slow one is done.
    void sleepersWakeAndTheLastOneCounts() {
        // With more threads than processors no thread spins, so all sleep between the loops.
        const int many = static_cast<int>(std::thread::hardware_concurrency()) + 2;
        for (const int threads : {2, many}) {
            ThreadPool pool(threads);
            for (int round = 0; round < 300; ++round) {
                std::atomic<int> arrived{0};
                std::atomic<bool> slowDone{false};
                pool.parallelFor(2, 1, [&](int64_t, int64_t, int thread) {
                    ++arrived;
                    while (arrived < 2) std::this_thread::yield();
                    if (thread == 0) return;
                    std::this_thread::sleep_for(std::chrono::microseconds(50)); // the other piece ends before
                    slowDone = true;
                });
                QVERIFY(slowDone);
            }
        }
    }

    void memoryThatRunsOut() {
        for (const int threads : {1, 4}) {
            ThreadPool pool(threads);
            bool told = false;
            try {
                pool.parallelFor(100, 1, [](int64_t begin, int64_t, int) {
                    if (begin == 57) throw std::bad_alloc();
                });
            } catch (const std::bad_alloc&) {
                told = true;
            }
            QVERIFY(told);
            std::atomic<int> done{0};
            pool.parallelFor(100, 1, [&](int64_t, int64_t, int) { ++done; });
            QCOMPARE(done.load(), 100);
        }
    }

    void poolsComeAndGo() {
        std::atomic<int> done{0};
        for (int i = 0; i < 200; ++i) {
            ThreadPool pool(1 + i % 5);
            if (i % 3 != 0) pool.parallelFor(10, 1, [&](int64_t, int64_t, int) { ++done; });
        }
        QCOMPARE(done.load(), 133 * 10);
    }

    void callersMayChangeThread() {
        ThreadPool pool(3);
        int64_t sum = 0;
        for (int i = 0; i < 50; ++i) {
            std::thread caller([&] {
                std::atomic<int64_t> here{0};
                pool.parallelFor(100, 9, [&](int64_t begin, int64_t end, int) { here += end - begin; });
                sum += here;
            });
            caller.join();
        }
        QCOMPARE(sum, int64_t{5000});
    }
};

QTEST_APPLESS_MAIN(TestThreads)
#include "tst_threads.moc"
