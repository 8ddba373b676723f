package dataset

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// TicTacToe returns all 958 boards at the end of legal games of tic-tac-toe in which x moves first: 958×9
// categorical squares with the levels b (blank), o, x (27 columns with OneHot), class positive (626) if x has won,
// else negative. The boards are computed from the rules and come in the order of the UCI repository: x has won, o has won,
// draw, and within these ascending with x < o < b.
func TicTacToe() *Set {
	var boards []board
	seen := map[board]bool{}
	collectEnds(board{}, 'x', seen, &boards)
	slices.SortFunc(boards, func(a, b board) int {
		if d := a.outcome() - b.outcome(); d != 0 {
			return d
		}
		for j := range a {
			if d := squareOrder[a[j]] - squareOrder[b[j]]; d != 0 {
				return d
			}
		}
		return 0
	})

	s := &Set{
		Name: "tic-tac-toe", X: mat.NewDense(len(boards), 9, nil),
		Labels: make([]int, len(boards)), ClassNames: []string{"negative", "positive"}, TargetName: "Class",
	}
	if src, ok := sourceOf(s.Name); ok {
		s.Source, s.Licence = src.Source, src.Licence
	}
	for _, row := range []string{"top", "middle", "bottom"} {
		for _, col := range []string{"left", "middle", "right"} {
			s.FeatureNames = append(s.FeatureNames, row+"-"+col+"-square")
			s.Categories = append(s.Categories, []string{"b", "o", "x"})
		}
	}
	for i, b := range boards {
		for j, c := range b {
			s.X.Set(i, j, map[byte]float64{0: 0, 'o': 1, 'x': 2}[c])
		}
		if b.won('x') {
			s.Labels[i] = 1
		}
	}
	return s
}

// A board has 'x', 'o' or 0 in its nine squares.
type board [9]byte

var squareOrder = map[byte]int{'x': 0, 'o': 1, 0: 2}

var lines = [8][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}

func (b board) won(player byte) bool {
	for _, l := range lines {
		if b[l[0]] == player && b[l[1]] == player && b[l[2]] == player {
			return true
		}
	}
	return false
}

// outcome is 0 if x has won, 1 if o has won and 2 otherwise.
func (b board) outcome() int {
	switch {
	case b.won('x'):
		return 0
	case b.won('o'):
		return 1
	}
	return 2
}

// collectEnds plays all games on from b and appends the final boards it sees for the first time.
func collectEnds(b board, player byte, seen map[board]bool, ends *[]board) {
	if seen[b] {
		return
	}
	seen[b] = true
	other := byte('x' + 'o' - player)
	full := true
	for j, c := range b {
		if c != 0 {
			continue
		}
		full = false
		if !b.won(other) {
			next := b
			next[j] = player
			collectEnds(next, other, seen, ends)
		}
	}
	if full || b.won(other) {
		*ends = append(*ends, b)
	}
}

// Monks returns the whole factorial of one of the three MONK's problems: 432×6 categorical attributes with 3, 3, 2,
// 3, 4 and 2 levels (17 columns with OneHot), class 1 by the rule of the problem
// (Thrun et al. 1991):
//
//	1: attr1 = attr2, or attr5 = 1
//	2: exactly two attributes have the value 1
//	3: attr5 = 3 and attr4 = 1, or attr5 ≠ 4 and attr2 ≠ 3
//
// These are the test sets of the original, without noise. Like an index out of range, another problem than 1, 2 or
// 3 panics.
func Monks(problem int) *Set {
	rules := map[int]func(a [6]int) bool{
		1: func(a [6]int) bool { return a[0] == a[1] || a[4] == 1 },
		2: func(a [6]int) bool {
			ones := 0
			for _, v := range a {
				if v == 1 {
					ones++
				}
			}
			return ones == 2
		},
		3: func(a [6]int) bool { return a[4] == 3 && a[3] == 1 || a[4] != 4 && a[1] != 3 },
	}
	rule, ok := rules[problem]
	if !ok {
		panic(fmt.Errorf("%w: MONK's problem %d, want 1, 2 or 3", ErrArgument, problem))
	}
	sizes := [6]int{3, 3, 2, 3, 4, 2}
	const n = 432
	s := &Set{
		Name: fmt.Sprintf("monks-%d", problem), X: mat.NewDense(n, 6, nil),
		Labels: make([]int, n), ClassNames: []string{"0", "1"}, TargetName: "class",
	}
	if src, ok := sourceOf(s.Name); ok {
		s.Source, s.Licence = src.Source, src.Licence
	}
	for j, size := range sizes {
		s.FeatureNames = append(s.FeatureNames, fmt.Sprintf("attr%d", j+1))
		s.Categories = append(s.Categories, []string{"1", "2", "3", "4"}[:size])
	}
	s = s.Clone() // so that levels do not share memory
	for i := range n {
		var a [6]int
		for j, rest := 5, i; j >= 0; j-- { // the last attribute varies fastest
			a[j] = rest%sizes[j] + 1
			rest /= sizes[j]
			s.X.Set(i, j, float64(a[j]-1))
		}
		if rule(a) {
			s.Labels[i] = 1
		}
	}
	return s
}
