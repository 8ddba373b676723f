package kernel

import "math"

// The exponential: with N = 128, k = round(x·N/ln 2) and r = x − k·ln 2/N,
//
//	e^x = 2^⌊k/N⌋ · 2^((k mod N)/N) · e^r,   |r| ≤ ln 2/(2N) = 0.0028,
//
// where the middle factor is a table of pairs hi+lo and e^r−1 a Taylor polynomial of degree 5,
// whose remainder r⁶/720 is below 1e-18. The last rounding dominates: the error is at most
// 0.51 units in the last place. Products are rounded explicitly, so that the bits are the same
// on machines that fuse multiplication and addition.
const (
	expN      = 128
	expInvLn2 = expN / math.Ln2
	expShift  = 0x1.8p52 // adding it rounds to an integer in the low bits of the sum
	expLn2Hi  = 0x1.62e42fep-1 / expN
	expLn2Lo  = (math.Ln2 - 0x1.62e42fep-1) / expN
	expMin    = -690 // below, the product hi·p may be subnormal and lose digits
	expMax    = 709  // above, results may overflow
)

// exp returns e^x.
func exp(x float64) float64 {
	v := [1]float64{x}
	expScaled(v[:], v[:], 1)
	return v[0]
}

// expScaled sets dst[j] = exp(scale·src[j]). dst and src may be the same slice.
func expScaled(dst, src []float64, scale float64) {
	dst = dst[:len(src)]
	for j, v := range src {
		x := scale * v
		if !(x >= expMin && x <= expMax) {
			dst[j] = expEdge(x)
			continue
		}
		k, p := expReduce(x)
		hi := math.Float64frombits(expTable[k%expN].hi + k/expN<<52)
		dst[j] = hi + float64(hi*p)
	}
}

// expReduce returns k modulo 2⁵¹ and p with e^x = 2^⌊k/N⌋ · hi[k mod N] · (1+p).
func expReduce(x float64) (k uint64, p float64) {
	shifted := float64(x*expInvLn2) + expShift
	k = math.Float64bits(shifted)
	kf := shifted - expShift
	r := x - float64(kf*expLn2Hi) - float64(kf*expLn2Lo)
	p = expTable[k%expN].lo + r + float64(r*r*(0.5+float64(r*(1.0/6+float64(r*(1.0/24+float64(r*(1.0/120))))))))
	return k, p
}

// expEdge returns e^x where the result may be subnormal, overflow or be NaN.
func expEdge(x float64) float64 {
	switch {
	case x < -746:
		return 0
	case x > 710:
		return math.Inf(1)
	case math.IsNaN(x):
		return x
	}
	k, p := expReduce(x)
	hi := math.Float64frombits(expTable[k%expN].hi)
	return math.Ldexp(hi+float64(hi*p), int(int64(k<<13)>>13>>7))
}
