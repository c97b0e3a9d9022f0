package main

import (
	"archive/tar"
	"bytes"
	"io"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// standIn is a base image as far as a build depends on it: an index of platforms
// like that of distroless, one more than are released, all of the one layer,
// which is empty. Their user is distroless' nonroot, which is not quite the one
// that is asked for.
func standIn() (v1.ImageIndex, v1.Layer, error) {
	layer, err := emptyLayer()
	if err != nil {
		return nil, nil, err
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, architecture := range []string{"amd64", "arm64", "s390x"} {
		image, err := mutate.AppendLayers(mutate.MediaType(empty.Image, types.OCIManifestSchema1), layer)
		if err != nil {
			return nil, nil, err
		}
		config, err := image.ConfigFile()
		if err != nil {
			return nil, nil, err
		}
		config = config.DeepCopy()
		config.OS, config.Architecture = "linux", architecture
		config.Config.User = "65532"
		image, err = mutate.ConfigFile(image, config)
		if err != nil {
			return nil, nil, err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add:        image,
			Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: architecture}},
		})
	}
	return index, layer, nil
}

func emptyLayer() (v1.Layer, error) {
	var packed bytes.Buffer
	if err := tar.NewWriter(&packed).Close(); err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(packed.Bytes())), nil
	}, tarball.WithMediaType(types.OCILayer))
}
