package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"regexp"
	"strconv"
	"time"
)

var form = regexp.MustCompile("^t=([0-9]{1,12}),v1=([0-9a-f]{64})$")

// IsGenuine takes the body as it came, byte for byte, and X-Service-Signature.
// Where it is false, answer 400. Drop an X-Service-Event-Id that you have handled.
func IsGenuine(rawBody []byte, header, secret string, now time.Time) bool {
	parts := form.FindStringSubmatch(header)
	if parts == nil {
		return false
	}
	t, _ := strconv.ParseInt(parts[1], 10, 64)
	age, mac := now.Unix()-t, hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "%s.%s", parts[1], rawBody)
	return age >= -300 && age <= 300 && hmac.Equal(fmt.Appendf(nil, "%x", mac.Sum(nil)), []byte(parts[2]))
}
