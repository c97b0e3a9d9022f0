package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"sync"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// loopback is a registry in memory. It is also given to the build as its proxy,
// so that it sees which other hosts the build asks for; it lets none through.
type loopback struct {
	host   string // with its port, which the system chose
	server *http.Server

	mu    sync.Mutex
	asked []string
}

func serve() (*loopback, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listening for the registry: %w", err)
	}
	r := &loopback{host: listener.Addr().String()}
	images := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	r.server = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.Host == r.host {
			images.ServeHTTP(w, req)
			return
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.asked = append(r.asked, req.Host)
		http.Error(w, "there is no network here", http.StatusBadGateway)
	})}
	go r.server.Serve(listener) //nolint:errcheck // it ends by close
	return r, nil
}

func (r *loopback) close() { r.server.Close() }

// strays are the hosts other than the registry that were asked for.
func (r *loopback) strays() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Compact(slices.Sorted(slices.Values(r.asked)))
}

// push puts an index into the registry and returns its name, with the digest.
func (r *loopback) push(repository string, index v1.ImageIndex) (string, error) {
	tag, err := name.NewTag(r.host + "/" + repository + ":nonroot")
	if err != nil {
		return "", err
	}
	if err := remote.WriteIndex(tag, index); err != nil {
		return "", fmt.Errorf("pushing %s: %w", tag, err)
	}
	digest, err := index.Digest()
	if err != nil {
		return "", err
	}
	return tag.Name() + "@" + digest.String(), nil
}

// index is the index that a tag names.
func (r *loopback) index(tag string) (v1.ImageIndex, error) {
	reference, err := name.NewTag(r.host + "/" + tag)
	if err != nil {
		return nil, err
	}
	index, err := remote.Index(reference)
	if err != nil {
		return nil, fmt.Errorf("pulling %s: %w", tag, err)
	}
	return index, nil
}

// tags are all of a repository, with their digests: those of the image, and of
// the SBOMs beside it.
func (r *loopback) tags(repository string) (map[string]string, error) {
	of, err := name.NewRepository(r.host + "/" + repository)
	if err != nil {
		return nil, err
	}
	names, err := remote.List(of)
	if err != nil {
		return nil, fmt.Errorf("listing the tags of %s: %w", repository, err)
	}
	digests := map[string]string{}
	for _, name := range names {
		is, err := remote.Head(of.Tag(name))
		if err != nil {
			return nil, fmt.Errorf("asking for the digest of %s:%s: %w", repository, name, err)
		}
		digests[name] = is.Digest.String()
	}
	return digests, nil
}
