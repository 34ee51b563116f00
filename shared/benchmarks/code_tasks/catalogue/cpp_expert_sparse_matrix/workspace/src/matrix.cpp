#include "sparse/matrix.hpp"

#include <stdexcept>

namespace sparse {

namespace {

[[noreturn]] void not_written() { throw std::logic_error("not written yet"); }

}  // namespace

Matrix::Matrix(Index rows, Index columns) : rows_(rows), columns_(columns) {}

Matrix Matrix::from_entries(Index, Index, std::vector<Entry>) { not_written(); }
Matrix Matrix::identity(Index) { not_written(); }

Index Matrix::rows() const { return rows_; }
Index Matrix::columns() const { return columns_; }
std::size_t Matrix::stored() const { not_written(); }
std::vector<Entry> Matrix::entries() const { not_written(); }
double Matrix::at(Index, Index) const { not_written(); }

Matrix Matrix::transposed() const { not_written(); }
Matrix Matrix::scaled(double) const { not_written(); }
Matrix Matrix::plus(const Matrix&) const { not_written(); }
std::vector<double> Matrix::times(const std::vector<double>&) const { not_written(); }
Matrix Matrix::times(const Matrix&) const { not_written(); }
Matrix Matrix::power(unsigned) const { not_written(); }
Matrix Matrix::block(Index, Index, Index, Index) const { not_written(); }
Matrix Matrix::permuted(const std::vector<Index>&) const { not_written(); }
Matrix Matrix::kron(const Matrix&) const { not_written(); }
std::vector<double> Matrix::solve_lower(const std::vector<double>&) const { not_written(); }

bool Matrix::operator==(const Matrix&) const { not_written(); }

}  // namespace sparse
