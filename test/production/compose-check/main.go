// compose-check FILE...: loads each file as docker compose does, with every profile: schema, variables, references between
// services. It also checks that what is mounted from this project exists. No container engine is needed.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

func load(file string) (*types.Project, error) {
	options, err := cli.NewProjectOptions([]string{file}, cli.WithOsEnv, cli.WithInterpolation(true), cli.WithProfiles([]string{"*"}))
	if err != nil {
		return nil, err
	}
	return options.LoadProject(context.Background())
}

// missing names mounted files that do not exist. Docker would make an empty folder for each.
func missing(project *types.Project) []string {
	var faults []string
	for _, service := range project.Services {
		for _, volume := range service.Volumes {
			if volume.Type != types.VolumeTypeBind {
				continue
			}
			if _, err := os.Stat(volume.Source); err != nil {
				faults = append(faults, fmt.Sprintf("service %s mounts %s, which does not exist", service.Name, volume.Source))
			}
		}
	}
	return faults
}

func main() {
	failed := false
	for _, file := range os.Args[1:] {
		project, err := load(file)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", file, err)
			failed = true
			continue
		}
		if faults := missing(project); len(faults) > 0 {
			fmt.Fprintf(os.Stderr, "%s: %s\n", file, strings.Join(faults, "; "))
			failed = true
			continue
		}
		fmt.Println(strings.Join(project.ServiceNames(), " "))
	}
	if failed {
		os.Exit(1)
	}
}
