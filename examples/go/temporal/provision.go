// Provisions an instance by a Temporal client and prints the verified result.
// Repeat it as often as you like: the same order number gives the same run. TEMPORAL_ADDRESS and the like name the server.
//
// Usage: go run . ORDER INPUT.json
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/contrib/envconfig"
)

func main() {
	result, err := provision(os.Args[1], os.Args[2])
	if err != nil { // a failed run says why and what to do
		log.Fatal(err)
	}
	fmt.Println(string(result))
}

func provision(order, file string) (result json.RawMessage, err error) {
	input, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var place struct{ Account string }
	if err := json.Unmarshal(input, &place); err != nil {
		return nil, err
	}
	temporal, err := client.Dial(envconfig.MustLoadDefaultClientOptions())
	if err != nil {
		return nil, err
	}
	defer temporal.Close()
	once := client.StartWorkflowOptions{
		ID:        "provision-instance/" + cmp.Or(place.Account, "default") + "/" + order,
		TaskQueue: "gcore-workflows",
		// An open run of this order is joined; one that has succeeded is not repeated, and its result is returned.
		WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING,
		WorkflowIDReusePolicy:    enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE_FAILED_ONLY,
	}
	run, err := temporal.ExecuteWorkflow(context.Background(), once, "provisionInstance", json.RawMessage(input))
	if err != nil {
		return nil, err
	}
	err = run.Get(context.Background(), &result)
	return result, err
}
