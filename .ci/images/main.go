// Command images releases the container images into a registry of its own on
// loopback, once out of each clone, and holds that they are what a user is
// promised: the same digests each time, both platforms, a user that is not root,
// and nothing on top of the base image but one program. .ci/release images calls
// it.
//
// It is GoReleaser that builds them, with the configuration of a release in
// which only the registries are others. No Docker daemon is there to be asked,
// and whoever asks for another host than the registry is found out.
//
//	images GORELEASER CONFIG OUT CLONE...
//
// The programs in the images are left in OUT, as OUT/linux-amd64/conformance,
// and the digests are printed as sha256sum would.
package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"strings"
)

// version is that of the images, of the tag that .ci/release gives the clones.
const version = "0.0.1"

func programs() []string { return []string{"conformance", "reference"} }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "images:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) < 5 {
		return errors.New("wanted: GORELEASER CONFIG OUT and two clones or more")
	}
	goreleaser, config, out, clones := args[0], args[1], args[2], args[3:]
	r, err := serve()
	if err != nil {
		return err
	}
	defer r.close()
	base, layer, err := standIn()
	if err != nil {
		return fmt.Errorf("making a stand-in for the base image: %w", err)
	}
	baseName, err := r.push("base", base)
	if err != nil {
		return err
	}
	configured, err := os.ReadFile(config)
	if err != nil {
		return fmt.Errorf("reading the configuration: %w", err)
	}
	for i, clone := range clones {
		redirected, err := redirect(configured, baseName, r.host+"/"+prefix(i))
		if err != nil {
			return fmt.Errorf("%s: %w", config, err)
		}
		err = release(ctx, goreleaser, redirected, clone, "http://"+r.host)
		if strays := r.strays(); len(strays) > 0 {
			err = errors.Join(err, fmt.Errorf("the build asked for what only a network has: %q", strays))
		}
		if err != nil {
			return err
		}
	}
	commit, created, err := head(ctx, clones[0])
	if err != nil {
		return err
	}
	for _, program := range programs() {
		w := wanted{program, commit, created, layer}
		if err := hold(r, w, len(clones), out); err != nil {
			return fmt.Errorf("%s: %w", program, err)
		}
	}
	return nil
}

// prefix is where in the registry the images out of one clone are.
func prefix(clone int) string {
	return fmt.Sprintf("clone%d", clone)
}

// hold looks at the images of one program, and prints digest and name of the
// first.
func hold(r *loopback, w wanted, clones int, out string) error {
	repository := prefix(0) + "/" + w.program
	first, err := r.tags(repository)
	if err != nil {
		return err
	}
	for i := range clones - 1 {
		again, err := r.tags(prefix(i+1) + "/" + w.program)
		if err != nil {
			return err
		}
		if !maps.Equal(first, again) {
			return fmt.Errorf("released twice, with different digests:\n%q\n%q", first, again)
		}
	}
	index, err := r.index(repository + ":" + version)
	if err != nil {
		return err
	}
	if err := w.check(index, out); err != nil {
		return err
	}
	sum := strings.TrimPrefix(first[version], "sha256:")
	if _, found := first["sha256-"+sum+".sbom"]; !found {
		return fmt.Errorf("no SBOM is beside it, only %q", first)
	}
	fmt.Printf("%s  %s/%s\n", sum, r.host, repository)
	return nil
}
