package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// parts are what an image is made of, to be changed in one place.
type parts struct {
	config *v1.ConfigFile
	layers []v1.Layer
}

func TestImage(t *testing.T) {
	self := read(t)
	program := tar.Header{Name: "/ko-app/reference", Typeflag: tar.TypeReg, Mode: 0o555}
	folder := tar.Header{Name: "/ko-app", Typeflag: tar.TypeDir, Mode: 0o555}
	base, data, app := layer(t, nil), layer(t, nil, folder), layer(t, self, folder, program)
	with := func(change func(*tar.Header)) v1.Layer {
		other := program
		change(&other)
		return layer(t, []byte("x"), other)
	}

	tests := map[string]struct {
		change func(*parts)
		fault  string
	}{
		"as wanted":             {func(*parts) {}, ""},
		"root":                  {func(p *parts) { p.config.Config.User = "" }, `the user is ""`},
		"the base image's user": {func(p *parts) { p.config.Config.User = "65532" }, `the user is "65532"`},
		"another start":         {func(p *parts) { p.config.Config.Entrypoint[0] = "/bin/sh" }, "what it starts is"},
		"an argument":           {func(p *parts) { p.config.Config.Cmd = []string{"-x"} }, "what it starts is"},
		"no time":               {func(p *parts) { p.config.Created = v1.Time{} }, "the time is"},
		"another platform":      {func(p *parts) { p.config.Architecture = "s390x" }, "the platform is"},
		"another commit":        {func(p *parts) { p.config.Config.Labels["org.opencontainers.image.revision"] = "f00" }, "the label of the commit"},
		"no source":             {func(p *parts) { delete(p.config.Config.Labels, "org.opencontainers.image.source") }, "the label of the source"},
		"no license":            {func(p *parts) { delete(p.config.Config.Labels, "org.opencontainers.image.licenses") }, "the label of the license"},
		"another version":       {func(p *parts) { p.config.Config.Labels["org.opencontainers.image.version"] = "9.9.9" }, "the label of the image 9.9.9"},
		"one layer more":        {func(p *parts) { p.layers = append(p.layers, data) }, "4 layers"},
		"another base image":    {func(p *parts) { p.layers[0] = app }, "the first layer"},
		"a file of data":        {func(p *parts) { p.layers[1] = app }, "the layer of ko's data: it holds /ko-app/reference"},
		"no program":            {func(p *parts) { p.layers[2] = data }, "there is no /ko-app/reference"},
		"elsewhere":             {func(p *parts) { p.layers[2] = with(func(h *tar.Header) { h.Name = "/bin/x" }) }, "it holds /bin/x"},
		"a link": {func(p *parts) {
			p.layers[2] = with(func(h *tar.Header) { h.Typeflag, h.Linkname = tar.TypeSymlink, "/x" })
		}, "it holds /ko-app/reference"},
		"writable":       {func(p *parts) { p.layers[2] = with(func(h *tar.Header) { h.Mode = 0o777 }) }, "mode 0777"},
		"setuid":         {func(p *parts) { p.layers[2] = with(func(h *tar.Header) { h.Mode = 0o4555 }) }, "mode 04555"},
		"the user's own": {func(p *parts) { p.layers[2] = with(func(h *tar.Header) { h.Uid = 65532 }) }, "belongs to 65532:0"},
		"not a program":  {func(p *parts) { p.layers[2] = with(func(*tar.Header) {}) }, "the program: "},
	}
	info, err := buildinfo.Read(bytes.NewReader(self))
	if err != nil {
		t.Fatal(err)
	}
	created := time.Unix(1e9, 0)
	platform := v1.Platform{OS: "linux", Architecture: runtime.GOARCH}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := parts{layers: []v1.Layer{base, data, app}, config: &v1.ConfigFile{
				OS: platform.OS, Architecture: platform.Architecture, Created: v1.Time{Time: created},
				Config: v1.Config{
					User: "65532:65532", Entrypoint: []string{"/ko-app/reference"},
					Labels: map[string]string{
						"org.opencontainers.image.source":   "https://github.com/plantstore/conformance",
						"org.opencontainers.image.revision": revision(info),
						"org.opencontainers.image.version":  strings.TrimPrefix(info.Main.Version, "v"),
						"org.opencontainers.image.licenses": "Apache-2.0",
					},
				},
			}}
			test.change(&p)
			w := wanted{"reference", revision(info), created, base}
			err := w.checkImage(p.image(t), platform, filepath.Join(t.TempDir(), "reference"))
			blames(t, err, test.fault)
		})
	}
}

func TestProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	info, err := buildinfo.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	commit := revision(info)
	here := v1.Platform{OS: "linux", Architecture: runtime.GOARCH}
	blames(t, checkProgram(self, v1.Platform{OS: "linux", Architecture: "s390x"}, commit, ""), "the program is for EM_")
	blames(t, checkProgram("/bin/sh", here, commit, ""), "dynamically")
	blames(t, checkProgram(self, here, "f00", ""), `not "f00"`)
}

func TestPlatforms(t *testing.T) {
	base, layer, err := standIn()
	if err != nil {
		t.Fatal(err)
	}
	w := wanted{"reference", "", time.Now(), layer}
	blames(t, w.check(base, t.TempDir()), `it is for ["linux/amd64" "linux/arm64" "linux/s390x"]`)
	blames(t, w.check(base, t.TempDir()), "linux/arm64: 1 layers")
}

func blames(t *testing.T, err error, fault string) {
	t.Helper()
	switch {
	case fault == "" && err != nil:
		t.Errorf("wanted no fault, got: %v", err)
	case fault != "" && err == nil:
		t.Errorf("wanted %q, got no fault", fault)
	case fault != "" && !strings.Contains(err.Error(), fault):
		t.Errorf("wanted %q, got: %v", fault, err)
	}
}

// read is the test itself: a program as good as any.
func read(t *testing.T) []byte {
	file, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// layer holds the entries, all regular files of which have the one content.
func layer(t *testing.T, content []byte, entries ...tar.Header) v1.Layer {
	t.Helper()
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	for _, entry := range entries {
		if entry.Typeflag == tar.TypeReg {
			entry.Size = int64(len(content))
		}
		if err := w.WriteHeader(&entry); err != nil {
			t.Fatal(err)
		}
		if entry.Typeflag != tar.TypeReg {
			continue
		}
		if _, err := w.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	l, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(packed.Bytes())), nil
	}, tarball.WithCompressionLevel(gzip.NoCompression))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func (p parts) image(t *testing.T) v1.Image {
	t.Helper()
	image, err := mutate.AppendLayers(empty.Image, p.layers...)
	if err != nil {
		t.Fatal(err)
	}
	made, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	p.config.RootFS = made.RootFS
	image, err = mutate.ConfigFile(image, p.config)
	if err != nil {
		t.Fatal(err)
	}
	return image
}
