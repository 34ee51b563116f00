#include "sparse/matrix.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace sparse {

namespace {

bool before(const Entry& a, const Entry& b) { return a.row != b.row ? a.row < b.row : a.column < b.column; }

std::string shape(Index rows, Index columns) { return std::to_string(rows) + "x" + std::to_string(columns); }
std::string shape(const Matrix& matrix) { return shape(matrix.rows(), matrix.columns()); }
std::string place(Index row, Index column) { return "(" + std::to_string(row) + "," + std::to_string(column) + ")"; }

}  // namespace

Matrix::Matrix(Index rows, Index columns) : rows_(rows), columns_(columns) {}

Matrix Matrix::from_entries(Index rows, Index columns, std::vector<Entry> entries) {
    for (const Entry& entry : entries) {
        if (entry.row >= rows || entry.column >= columns) {
            throw std::out_of_range("entry " + place(entry.row, entry.column) + " is outside of " + shape(rows, columns));
        }
    }
    Matrix result(rows, columns);
    result.keep(std::move(entries));
    return result;
}

Matrix Matrix::identity(Index size) {
    Matrix result(size, size);
    result.entries_.reserve(size);
    for (Index i = 0; i < size; ++i) result.entries_.push_back({i, i, 1.0});
    return result;
}

Index Matrix::rows() const { return rows_; }
Index Matrix::columns() const { return columns_; }
std::size_t Matrix::stored() const { return entries_.size(); }
std::vector<Entry> Matrix::entries() const { return entries_; }

double Matrix::at(Index row, Index column) const {
    if (row >= rows_ || column >= columns_) throw std::out_of_range("place " + place(row, column) + " is outside of " + shape(*this));
    const auto found = std::lower_bound(entries_.begin(), entries_.end(), Entry{row, column, 0.0}, before);
    return found != entries_.end() && found->row == row && found->column == column ? found->value : 0.0;
}

Matrix Matrix::transposed() const {
    Matrix result(columns_, rows_);
    std::vector<Entry> turned;
    turned.reserve(entries_.size());
    for (const Entry& entry : entries_) turned.push_back({entry.column, entry.row, entry.value});
    result.keep(std::move(turned));
    return result;
}

Matrix Matrix::scaled(double factor) const {
    Matrix result(rows_, columns_);
    for (const Entry& entry : entries_) {
        const double value = entry.value * factor;
        if (value != 0.0) result.entries_.push_back({entry.row, entry.column, value});
    }
    return result;
}

Matrix Matrix::plus(const Matrix& other) const {
    if (rows_ != other.rows_ || columns_ != other.columns_) throw std::invalid_argument("cannot add " + shape(*this) + " and " + shape(other));
    std::vector<Entry> both = entries_;
    both.insert(both.end(), other.entries_.begin(), other.entries_.end());
    Matrix result(rows_, columns_);
    result.keep(std::move(both));
    return result;
}

std::vector<double> Matrix::times(const std::vector<double>& vector) const {
    if (vector.size() != columns_) throw std::invalid_argument("cannot multiply " + shape(*this) + " with a vector of " + std::to_string(vector.size()));
    std::vector<double> result(rows_, 0.0);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const Entry& entry = entries_[i];
        const double product = entry.value * vector[entry.column];
        const bool first = i == 0 || entries_[i - 1].row != entry.row;
        result[entry.row] = first ? product : result[entry.row] + product;
    }
    return result;
}

Matrix Matrix::times(const Matrix& other) const {
    if (columns_ != other.rows_) throw std::invalid_argument("cannot multiply " + shape(*this) + " with " + shape(other));
    Matrix result(rows_, other.columns_);
    std::vector<Entry> row;
    for (auto entry = entries_.begin(); entry != entries_.end();) {
        const Index number = entry->row;
        row.clear();
        for (; entry != entries_.end() && entry->row == number; ++entry) {
            auto right = std::lower_bound(other.entries_.begin(), other.entries_.end(), Entry{entry->column, 0, 0.0}, before);
            for (; right != other.entries_.end() && right->row == entry->column; ++right) {
                row.push_back({number, right->column, entry->value * right->value});
            }
        }
        Matrix one(rows_, other.columns_);
        one.keep(std::move(row));
        result.entries_.insert(result.entries_.end(), one.entries_.begin(), one.entries_.end());
    }
    return result;
}

Matrix Matrix::power(unsigned exponent) const {
    if (rows_ != columns_) throw std::invalid_argument(shape(*this) + " has no powers");
    if (exponent == 0) return identity(rows_);
    if (exponent == 1) return *this;
    const Matrix half = power(exponent / 2);
    const Matrix even = half.times(half);
    return exponent % 2 ? even.times(*this) : even;
}

Matrix Matrix::block(Index row, Index column, Index rows, Index columns) const {
    if (row > rows_ || column > columns_ || rows > rows_ - row || columns > columns_ - column) {
        throw std::out_of_range("block " + shape(rows, columns) + " at " + place(row, column) + " is outside of " + shape(*this));
    }
    Matrix result(rows, columns);
    for (const Entry& entry : entries_) {
        if (entry.row < row || entry.row - row >= rows || entry.column < column || entry.column - column >= columns) continue;
        result.entries_.push_back({entry.row - row, entry.column - column, entry.value});
    }
    return result;
}

Matrix Matrix::permuted(const std::vector<Index>& order) const {
    if (order.size() != rows_) throw std::invalid_argument("a permutation of " + std::to_string(rows_) + " rows has " + std::to_string(order.size()) + " numbers");
    std::vector<Index> target(order.size(), rows_);
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (order[i] < rows_) target[order[i]] = i;
    }
    const auto missing = std::find(target.begin(), target.end(), rows_);
    if (missing != target.end()) throw std::invalid_argument("row " + std::to_string(missing - target.begin()) + " is missing");
    Matrix result(rows_, columns_);
    std::vector<Entry> moved = entries_;
    for (Entry& entry : moved) entry.row = target[entry.row];
    result.keep(std::move(moved));
    return result;
}

Matrix Matrix::kron(const Matrix& other) const {
    Matrix result(rows_ * other.rows_, columns_ * other.columns_);
    std::vector<Entry> all;
    all.reserve(entries_.size() * other.entries_.size());
    for (const Entry& a : entries_) {
        for (const Entry& b : other.entries_) {
            all.push_back({a.row * other.rows_ + b.row, a.column * other.columns_ + b.column, a.value * b.value});
        }
    }
    result.keep(std::move(all));
    return result;
}

std::vector<double> Matrix::solve_lower(const std::vector<double>& right) const {
    if (rows_ != columns_) throw std::invalid_argument(shape(*this) + " is not square");
    if (right.size() != rows_) throw std::invalid_argument("cannot solve " + shape(*this) + " with a vector of " + std::to_string(right.size()));
    for (const Entry& entry : entries_) {
        if (entry.column > entry.row) throw std::invalid_argument("entry " + place(entry.row, entry.column) + " is above the diagonal");
    }
    Index row = 0;
    for (const Entry& entry : entries_) {
        if (entry.row == entry.column && entry.row == row) ++row;
    }
    if (row < rows_) throw std::invalid_argument("row " + std::to_string(row) + " has no diagonal entry");
    std::vector<double> solution = right;
    for (const Entry& entry : entries_) {
        double& value = solution[entry.row];
        if (entry.column == entry.row) value /= entry.value;
        else value -= entry.value * solution[entry.column];
    }
    return solution;
}

bool Matrix::operator==(const Matrix& other) const {
    return rows_ == other.rows_ && columns_ == other.columns_ && entries_ == other.entries_;
}

void Matrix::keep(std::vector<Entry> entries) {
    std::stable_sort(entries.begin(), entries.end(), before);
    entries_.clear();
    for (auto entry = entries.begin(); entry != entries.end();) {
        Entry sum = *entry;
        while (++entry != entries.end() && entry->row == sum.row && entry->column == sum.column) sum.value += entry->value;
        if (sum.value != 0.0) entries_.push_back(sum);
    }
}

}  // namespace sparse
