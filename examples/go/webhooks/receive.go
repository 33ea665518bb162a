// Receives webhooks of runs by POST /hooks, with net/http. Usage: WEBHOOK_SECRET=whsec_… PORT=8080
package main

import (
	"cmp"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

const maxBody = 1 << 20

func main() {
	key := os.Getenv("WEBHOOK_SECRET")
	if strings.TrimPrefix(key, "whsec_") == "" {
		log.Fatal("WEBHOOK_SECRET is empty: then everybody could sign")
	}
	secret, err := standardwebhooks.NewWebhook(key)
	if err != nil {
		log.Fatal(err)
	}
	var seen sync.Map // A repeat has the same id. Several processes share them in a database.
	http.HandleFunc("POST /hooks", func(w http.ResponseWriter, r *http.Request) {
		// As it was sent: JSON that was parsed and written again has another signature.
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err == nil {
			err = secret.Verify(body, r.Header)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		id := r.Header.Get("webhook-id")
		if _, isRepeat := seen.Load(id); !isRepeat {
			fmt.Printf("%s\n", body) // what your service does with it
			seen.Store(id, true)     // afterwards: when it fails, the webhook comes again
		}
		w.WriteHeader(http.StatusNoContent)
	})
	listener, err := net.Listen("tcp", "127.0.0.1:"+cmp.Or(os.Getenv("PORT"), "8080"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Fprintf(os.Stderr, "Listening at http://%s/hooks\n", listener.Addr())
	log.Fatal(http.Serve(listener, nil))
}
