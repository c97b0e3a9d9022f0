package main

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// wanted is what the images of one program have to be.
type wanted struct {
	program string
	commit  string
	created time.Time
	base    v1.Layer
}

// check holds that an index has an image for each platform, and that each is as
// wanted. It leaves the programs in out.
func (w wanted) check(index v1.ImageIndex, out string) error {
	manifest, err := index.IndexManifest()
	if err != nil {
		return err
	}
	var platforms []string
	var faults []error
	for _, of := range manifest.Manifests {
		platform := of.Platform.String()
		platforms = append(platforms, platform)
		image, err := index.Image(of.Digest)
		if err != nil {
			return err
		}
		file := filepath.Join(out, of.Platform.OS+"-"+of.Platform.Architecture, w.program)
		if err := w.checkImage(image, *of.Platform, file); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", platform, err))
		}
	}
	if slices.Sort(platforms); !slices.Equal(platforms, []string{"linux/amd64", "linux/arm64"}) {
		faults = append(faults, fmt.Errorf("it is for %q", platforms))
	}
	return errors.Join(faults...)
}

func (w wanted) checkImage(image v1.Image, platform v1.Platform, program string) error {
	config, err := image.ConfigFile()
	if err != nil {
		return err
	}
	layers, err := image.Layers()
	if err != nil {
		return err
	}
	// The base image has one layer here. ko adds one for files beside the
	// program, of which there are none, and one for the program.
	if len(layers) != 3 {
		return fmt.Errorf("%d layers: not those of the base image, of ko's data and of the program", len(layers))
	}
	if err := sameLayer(layers[0], w.base); err != nil {
		return err
	}
	if err := holds(layers[1], "", ""); err != nil {
		return fmt.Errorf("the layer of ko's data: %w", err)
	}
	if err := holds(layers[2], "/ko-app/"+w.program, program); err != nil {
		return fmt.Errorf("the layer of the program: %w", err)
	}
	return errors.Join(w.checkConfig(config, platform),
		checkProgram(program, platform, w.commit, config.Config.Labels["org.opencontainers.image.version"]))
}

func (w wanted) checkConfig(config *v1.ConfigFile, platform v1.Platform) error {
	var faults []error
	equal := func(what, is, should string) {
		if is != should {
			faults = append(faults, fmt.Errorf("%s is %q, not %q", what, is, should))
		}
	}
	equal("the platform", config.Platform().String(), platform.String())
	equal("the user", config.Config.User, "65532:65532")
	equal("what it starts", fmt.Sprint(config.Config.Entrypoint, config.Config.Cmd), fmt.Sprint([]string{"/ko-app/" + w.program}, []string{}))
	equal("the time", config.Created.UTC().String(), w.created.UTC().String())
	labels := config.Config.Labels
	equal("the label of the commit", labels["org.opencontainers.image.revision"], w.commit)
	equal("the label of the source", labels["org.opencontainers.image.source"], "https://github.com/plantstore/conformance")
	equal("the label of the license", labels["org.opencontainers.image.licenses"], "Apache-2.0")
	return errors.Join(faults...)
}

func sameLayer(is, should v1.Layer) error {
	a, err := is.Digest()
	if err != nil {
		return err
	}
	b, err := should.Digest()
	if err != nil {
		return err
	}
	if a != b {
		return errors.New("the first layer is not that of the base image")
	}
	return nil
}

// holds: that a layer has one file, which anybody may execute and nobody but
// root may write to, and which is copied to into; or, where file is empty, none.
func holds(layer v1.Layer, file, into string) error {
	content, err := layer.Uncompressed()
	if err != nil {
		return err
	}
	defer content.Close()
	entries := tar.NewReader(content)
	found := false
	for {
		entry, err := entries.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("reading it: %w", err)
		}
		if entry.Typeflag == tar.TypeDir {
			continue
		}
		if entry.Typeflag != tar.TypeReg || path.Join("/", entry.Name) != file {
			return fmt.Errorf("it holds %s", entry.Name)
		}
		if entry.Mode != 0o555 || entry.Uid != 0 || entry.Gid != 0 {
			return fmt.Errorf("%s belongs to %d:%d with mode %#o", entry.Name, entry.Uid, entry.Gid, entry.Mode)
		}
		if err := write(into, entries); err != nil {
			return err
		}
		found = true
	}
	if file != "" && !found {
		return fmt.Errorf("there is no %s in it", file)
	}
	return nil
}
