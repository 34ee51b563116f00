#pragma once

#include <cstdint>
#include <vector>

namespace sparse {

using Index = std::uint64_t;

/// One value and its place.
struct Entry {
    Index row = 0;
    Index column = 0;
    double value = 0.0;

    bool operator==(const Entry&) const = default;
};

/// A matrix that keeps only what is not zero.
class Matrix {
public:
    Matrix(Index rows, Index columns);
    static Matrix from_entries(Index rows, Index columns, std::vector<Entry> entries);
    static Matrix identity(Index size);

    Index rows() const;
    Index columns() const;
    std::size_t stored() const;
    std::vector<Entry> entries() const;
    double at(Index row, Index column) const;

    Matrix transposed() const;
    Matrix scaled(double factor) const;
    Matrix plus(const Matrix& other) const;
    std::vector<double> times(const std::vector<double>& vector) const;
    Matrix times(const Matrix& other) const;
    Matrix power(unsigned exponent) const;
    Matrix block(Index row, Index column, Index rows, Index columns) const;
    Matrix permuted(const std::vector<Index>& order) const;
    Matrix kron(const Matrix& other) const;
    std::vector<double> solve_lower(const std::vector<double>& right) const;

    bool operator==(const Matrix& other) const;

private:
    /// Takes entries in any order, adds those of one place and leaves zeros out.
    void keep(std::vector<Entry> entries);

    Index rows_;
    Index columns_;
    std::vector<Entry> entries_;  // by row, then column; none is zero
};

}  // namespace sparse
