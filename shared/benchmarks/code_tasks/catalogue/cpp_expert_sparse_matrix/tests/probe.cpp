#include <cmath>
#include <limits>
#include <stdexcept>
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

#include "sparse/matrix.hpp"

using sparse::Entry;
using sparse::Index;
using sparse::Matrix;

namespace {

/// Seventeen digits: every double has a text of its own.
std::string text(double value) {
    if (std::isnan(value)) return "nan";
    if (value == 0.0) return "0";
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.17g", value);
    return buffer;
}

std::string written(const Matrix& matrix) {
    std::string line = std::to_string(matrix.rows()) + "x" + std::to_string(matrix.columns()) + " " + std::to_string(matrix.stored()) + ":";
    for (const Entry& entry : matrix.entries()) {
        line += " (" + std::to_string(entry.row) + "," + std::to_string(entry.column) + ")=" + text(entry.value);
    }
    return line;
}

std::string written(const std::vector<double>& values) {
    std::string line;
    for (double value : values) line += (line.empty() ? "" : " ") + text(value);
    return line;
}

template <class Exception, class Action>
std::string refused(Action action) {
    try {
        action();
    } catch (const Exception& error) {
        return error.what();
    } catch (const std::exception& error) {
        return std::string("something else: ") + error.what();
    }
    return "nothing";
}
constexpr auto range = [](auto action) { return refused<std::out_of_range>(action); };
constexpr auto argument = [](auto action) { return refused<std::invalid_argument>(action); };

/// Numbers that look random.
struct Numbers {
    std::uint64_t state;
    std::uint64_t next(std::uint64_t below) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        return (state >> 33) % below;
    }
};

Matrix scattered(std::uint64_t seed, Index rows, Index columns, int count) {
    Numbers numbers{seed};
    std::vector<Entry> entries;
    for (int i = 0; i < count; ++i) {
        const Index row = numbers.next(rows), column = numbers.next(columns);
        entries.push_back({row, column, static_cast<double>(numbers.next(9)) - 4.0});
    }
    return Matrix::from_entries(rows, columns, entries);
}

/// A number for all entries of a matrix.
std::size_t digest(const Matrix& matrix) {
    std::uint64_t sum = matrix.rows() * 31 + matrix.columns();
    for (const Entry& entry : matrix.entries()) {
        sum = (sum * 1099511628211ull) ^ (entry.row * 977 + entry.column) ^ (static_cast<std::uint64_t>(static_cast<std::int64_t>(entry.value)) << 32);
    }
    return sum >> 12;
}

constexpr Index vast = Index{1} << 62;
const double nan_value = std::numeric_limits<double>::quiet_NaN();
const double endless = std::numeric_limits<double>::infinity();

void building() {
    const Matrix a = Matrix::from_entries(4, 5, {{3, 1, 2.5}, {0, 4, -1}, {3, 0, 7}, {0, 0, 0.0}, {1, 1, -0.0}, {2, 3, 1}, {2, 3, -1}, {0, 4, 3}, {3, 1, 0.25}});
    observe("entries", list(written(a), text(a.at(3, 1)), text(a.at(0, 4)), text(a.at(2, 3)), text(a.at(1, 1)), text(a.at(3, 4))));
    observe("shapes", list(written(Matrix(0, 0)), written(Matrix(3, 0)), written(Matrix(vast, vast)), written(Matrix::identity(3)), written(Matrix::identity(0))));
    observe("order_of_sums", list(written(Matrix::from_entries(1, 2, {{0, 0, 1e16}, {0, 1, 1}, {0, 0, 1}, {0, 0, -1e16}, {0, 1, 1e16}, {0, 1, -1e16}})), written(Matrix::from_entries(1, 1, {{0, 0, 1}, {0, 0, 1e16}, {0, 0, -1e16}, {0, 0, 1}}))));
    observe("odd_values", list(written(Matrix::from_entries(2, 2, {{0, 0, nan_value}, {0, 1, endless}, {1, 0, -endless}, {1, 1, endless}, {1, 1, -endless}}))));
    const Matrix far = Matrix::from_entries(vast, vast, {{vast - 1, 0, 1}, {0, vast - 1, 2}, {vast - 1, vast - 1, 3}, {12345678901, 9876543210, 4}});
    observe("far", list(written(far), text(far.at(vast - 1, vast - 1)), text(far.at(vast - 2, 5)), written(far.transposed())));
    observe("outside", list(
        range([] { Matrix::from_entries(2, 3, {{0, 0, 1}, {1, 3, 1}, {2, 0, 1}}); }),
        range([] { Matrix::from_entries(2, 3, {{2, 0, 0.0}}); }),
        range([&] { a.at(4, 0); }), range([&] { a.at(0, 5); }), range([] { Matrix(0, 0).at(0, 0); }), range([&] { far.at(vast, 0); })));
    observe("equal", list(a == a, a == a.transposed().transposed(), a == a.transposed(), Matrix(2, 3) == Matrix(2, 3), Matrix(2, 3) == Matrix(3, 2), a == a.scaled(2), Matrix::from_entries(1, 1, {{0, 0, nan_value}}) == Matrix::from_entries(1, 1, {{0, 0, nan_value}}), Matrix::from_entries(2, 2, {{0, 0, 1}, {1, 1, 1}, {0, 1, 0}}) == Matrix::identity(2)));
    const Matrix many = scattered(7, 5000000, 3000000000, 200000);
    std::size_t found = 0;
    for (const Entry& entry : many.entries()) found += many.at(entry.row, entry.column) == entry.value;
    observe("many", list(many.stored(), digest(many), found, digest(many.transposed()), many.transposed().transposed() == many));
}

void arithmetic() {
    const Matrix a = Matrix::from_entries(3, 4, {{0, 1, 2}, {1, 3, -4}, {2, 0, 0.5}, {2, 2, 8}});
    const Matrix b = Matrix::from_entries(3, 4, {{0, 1, -2}, {1, 0, 5}, {2, 0, 0.25}, {2, 3, 1}});
    observe("transposed", list(written(a.transposed()), written(b.transposed()), written(Matrix(0, 7).transposed())));
    observe("scaled", list(written(a.scaled(-3)), written(a.scaled(0)), written(a.scaled(5e-324)), written(a.scaled(endless)), written(a.scaled(-0.0))));
    observe("plus", list(written(a.plus(b)), written(b.plus(a)), written(a.plus(a.scaled(-1))), written(a.plus(Matrix(3, 4)))));
    observe("plus_refused", list(argument([&] { a.plus(a.transposed()); }), argument([] { Matrix(2, 2).plus(Matrix(2, vast)); })));
    const Matrix large = scattered(3, 1000000, 1000000, 100000), other = scattered(4, 1000000, 1000000, 100000);
    observe("plus_many", list(large.stored(), other.stored(), digest(large.plus(other)), large.plus(other) == other.plus(large), large.plus(other).plus(large.scaled(-1)) == other));
    observe("block", list(written(a.block(0, 0, 3, 4)), written(a.block(1, 2, 2, 2)), written(a.block(2, 0, 1, 3)), written(a.block(3, 4, 0, 0)), written(a.block(0, 1, 1, 1)), written(a.block(1, 1, 0, 3))));
    const Index most = ~Index{0};
    observe("block_refused", list(range([&] { a.block(0, 0, 4, 4); }), range([&] { a.block(1, 1, 2, 4); }), range([&] { a.block(4, 0, 0, 0); }), range([&] { a.block(2, 2, most, 1); }), range([&] { a.block(most, most, 2, 2); })));
    observe("permuted", list(written(a.permuted({2, 0, 1})), written(a.permuted({0, 1, 2})), written(Matrix(0, 5).permuted({}))));
    observe("permuted_refused", list(argument([&] { a.permuted({0, 1}); }), argument([&] { a.permuted({0, 1, 1}); }), argument([&] { a.permuted({2, 2, 9}); }), argument([&] { a.permuted({1, 2, 3}); }), argument([&] { a.permuted({0, 1, 2, 3}); })));
    observe("digests", list(digest(large.block(1000, 500000, 700000, 400000)), digest(large.scaled(3)), digest(large.block(999999, 0, 1, 1000000))));
}

void products() {
    const Matrix a = Matrix::from_entries(3, 4, {{0, 1, 2}, {1, 3, -4}, {2, 0, 0.5}, {2, 2, 8}});
    const Matrix b = Matrix::from_entries(4, 2, {{0, 0, 4}, {1, 1, 3}, {2, 0, -0.25}, {3, 0, 1}});
    observe("vector", list(written(a.times(std::vector<double>{1, 2, 3, 4})), written(a.times(std::vector<double>{0, 0, 0, 0})), written(Matrix(2, 0).times(std::vector<double>{})), written(Matrix::from_entries(2, 2, {{0, 0, 1}}).times(std::vector<double>{endless, nan_value}))));
    observe("vector_order", list(written(Matrix::from_entries(2, 3, {{0, 2, -1e16}, {0, 1, 1}, {0, 0, 1e16}, {1, 2, 1}, {1, 1, -1e16}, {1, 0, 1e16}}).times(std::vector<double>{1, 1, 1})), written(Matrix::from_entries(1, 2, {{0, 0, -1}}).times(std::vector<double>{0, 5}))));
    observe("matrix", list(written(a.times(b)), written(a.times(a.transposed())), written(a.transposed().times(a)), written(b.times(Matrix(2, 0))), written(Matrix(3, 0).times(Matrix(0, 2)))));
    observe("matrix_order", list(written(Matrix::from_entries(1, 3, {{0, 0, 1e16}, {0, 1, 1}, {0, 2, -1e16}}).times(Matrix::from_entries(3, 1, {{0, 0, 1}, {1, 0, 1}, {2, 0, 1}}))), written(Matrix::from_entries(1, 3, {{0, 0, 0.1}, {0, 1, 0.2}, {0, 2, 0.3}}).times(Matrix::from_entries(3, 1, {{0, 0, 3}, {1, 0, 0.7}, {2, 0, 0.11}})))));
    observe("matrix_odd", list(written(Matrix::from_entries(2, 2, {{0, 0, endless}, {1, 1, 1e-200}}).times(Matrix::from_entries(2, 2, {{0, 1, 2}, {1, 0, 1e-200}})))));
    observe("refused", list(argument([&] { a.times(a); }), argument([&] { a.times(std::vector<double>{1, 2, 3}); }), argument([&] { a.power(0); }), argument([&] { Matrix(vast, vast).times(Matrix(2, vast)); })));
    const Matrix far = Matrix::from_entries(vast, vast, {{vast - 1, 5, 3}, {5, vast - 2, 7}, {5, 6, -2}, {6, vast - 1, 11}});
    observe("far", list(written(far.times(far)), written(far.power(3)), written(far.power(4)), written(far.power(5)), written(far.transposed().times(far))));
    const Matrix step = Matrix::from_entries(2, 2, {{0, 0, 1}, {0, 1, 1}, {1, 0, 1}});
    observe("power", list(written(step.power(0)), written(step.power(1)), written(step.power(2)), written(step.power(13)), written(step.power(70)), written(Matrix::identity(2).power(4000000000u)), written(Matrix::from_entries(3, 3, {{0, 1, 1}, {1, 2, 1}}).power(3))));
    const Matrix left = scattered(11, 300000, vast, 60000), tall = scattered(12, 3000, 3000, 40000), wide = scattered(13, 3000, 3000, 40000);
    observe("many", list(digest(tall.times(wide)), tall.times(wide).stored(), digest(left.times(left.transposed())), tall.times(wide).transposed() == wide.transposed().times(tall.transposed())));
    const Matrix heavy_column = scattered(14, 3000, 1, 3000), heavy_row = scattered(15, 1, 3000, 3000);
    observe("outer", list(heavy_column.stored(), heavy_row.times(heavy_column).stored(), digest(heavy_row.times(heavy_column)), heavy_column.block(0, 0, 300, 1).times(heavy_row.block(0, 0, 1, 300)).stored()));
    observe("kron", list(written(step.kron(step)), written(b.kron(Matrix::from_entries(1, 2, {{0, 1, -2}}))), written(Matrix(0, 3).kron(step)), written(Matrix::from_entries(1, 1, {{0, 0, 1e-200}}).kron(Matrix::from_entries(2, 1, {{0, 0, 1e-200}, {1, 0, 1}}))), digest(scattered(5, 1 << 20, 1 << 20, 300).kron(scattered(6, 1 << 20, 1 << 20, 300)))));
    const Matrix lower = Matrix::from_entries(4, 4, {{0, 0, 2}, {1, 0, 1}, {1, 1, 4}, {2, 2, -1}, {3, 0, 3}, {3, 1, 0.5}, {3, 3, 8}});
    observe("solve", list(written(lower.solve_lower({2, 9, 5, 0})), written(Matrix(0, 0).solve_lower({})), written(Matrix::from_entries(3, 3, {{0, 0, 1}, {1, 1, 1}, {2, 0, 1}, {2, 1, 1}, {2, 2, 3}}).solve_lower({1e16, 1, 1e16})), written(Matrix::from_entries(2, 2, {{0, 0, 3}, {1, 0, 0.1}, {1, 1, 7}}).solve_lower({1, 0.3}))));
    observe("solve_refused", list(argument([&] { a.solve_lower({1, 2, 3}); }), argument([&] { lower.solve_lower({1, 2, 3}); }), argument([&] { lower.plus(Matrix::from_entries(4, 4, {{2, 3, 1}, {1, 3, 1}, {1, 1, -4}})).solve_lower({1, 2, 3, 4}); }), argument([&] { lower.plus(Matrix::from_entries(4, 4, {{3, 3, -8}, {1, 1, -4}})).solve_lower({1, 2, 3, 4}); }), argument([] { Matrix(3, 3).solve_lower({1, 2, 3}); })));
}

}  // namespace

int main(int, char** arguments) {
    alarm(60);
    const std::string name = arguments[1];
    if (name == "building") building();
    if (name == "arithmetic") arithmetic();
    if (name == "products") products();
}
