// A module of its own, so that Stripe's SDK is no requirement of Daybook. TestStripeSDKs runs it.
module daybook-stripe-client

go 1.26.0

require github.com/stripe/stripe-go/v85 v85.0.0
