// Provisions an instance over HTTP and prints the verified result. Needs nothing but Go's own library.
// Repeat it as often as you like: the same order number gives the same run.
//
// Usage: go run provision.go ORDER INPUT.json
package main

import (
	"cmp"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
)

var gateway = cmp.Or(os.Getenv("GATEWAY"), "http://127.0.0.1:8088")

func main() {
	order, file := os.Args[1], os.Args[2]
	body, err := os.Open(file)
	if err != nil {
		log.Fatal(err)
	}
	started, _ := ask("POST", "/v1/runs/provisionInstance", body, order)
	answer, text := ask("GET", started.Header.Get("Location")+"/result?wait=30s", nil, "")
	for answer.StatusCode == http.StatusAccepted { // it goes on
		answer, text = ask("GET", started.Header.Get("Location")+"/result?wait=30s", nil, "")
	}
	fmt.Println(text)
}

// ask ends the program when the answer is a problem: it says why and what to do.
func ask(method, path string, body io.Reader, key string) (*http.Response, string) {
	request, err := http.NewRequest(method, gateway+path, body)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("GATEWAY_TOKEN"))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", key)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= 300 {
		log.Fatal(answer.Status, " ", string(text), err)
	}
	return answer, string(text)
}
