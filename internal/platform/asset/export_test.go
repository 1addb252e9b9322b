package asset

// Occupy takes every place for decoding, until the function is called.
func (s *Service) Occupy() (free func()) { return occupy(s.decoding) }

// Crowd takes every place for waiting as well.
func (s *Service) Crowd() (free func()) { return occupy(s.admitted) }

func occupy(places chan struct{}) (free func()) {
	for range cap(places) {
		places <- struct{}{}
	}
	return func() {
		for range cap(places) {
			<-places
		}
	}
}
