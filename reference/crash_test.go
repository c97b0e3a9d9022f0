package reference

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const (
	// crashStoreEnv makes the test binary run as the service, with this file.
	crashStoreEnv = "REFERENCE_TEST_CRASH_STORE"
	crashToken    = "crash-token"
)

// serveUntilKilled is the process that the crash test kills. It prints its address on standard
// output and never returns.
func serveUntilKilled(path string) {
	store, err := OpenFileStore(path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(listener.Addr())
	server := NewServer(New(Options{Tokens: []string{crashToken}, Store: store}), nil)
	fmt.Fprintln(os.Stderr, Serve(context.Background(), server, listener))
	os.Exit(1)
}

// TestAcknowledgedPlantsSurviveAKill kills the service (SIGKILL) during concurrent writes, several
// times with the same file, and checks that every acknowledged plant is there.
func TestAcknowledgedPlantsSurviveAKill(t *testing.T) {
	const rounds = 4
	path := filepath.Join(t.TempDir(), "plants.db")
	var acknowledged []int64
	for round := range rounds {
		killAfter := 20 + rand.IntN(200)
		ids := writeUntilKilled(t, path, int64(round)<<32, killAfter)
		t.Logf("round %d: killed after %d acknowledgements, %d arrived", round, killAfter, len(ids))
		if len(ids) < killAfter {
			t.Fatalf("only %d plants were acknowledged", len(ids))
		}
		acknowledged = append(acknowledged, ids...)

		store := openStore(t, path)
		for _, id := range acknowledged {
			if p, found := kept(t, store, id); !found || p.Name != crashName(id) {
				t.Errorf("round %d: plant %d was acknowledged and is lost (found: %t, name %q)", round, id, found, p.Name)
			}
		}
		server := startServer(t, Options{Tokens: []string{crashToken}, Store: store})
		for _, id := range acknowledged[len(acknowledged)-killAfter:] {
			if got := server.post(t, crashToken, crashBody(id)); got.status != http.StatusBadRequest {
				t.Errorf("round %d: plant %d was acknowledged and could be created again: %d", round, id, got.status)
			}
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// writeUntilKilled starts the service and creates plants from several clients at once, with ids
// from firstID on. It kills the service after killAfter acknowledgements, and returns the ids of
// all acknowledged plants.
func writeUntilKilled(t *testing.T, path string, firstID int64, killAfter int) []int64 {
	t.Helper()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	service := exec.Command(executable)
	service.Env = append(os.Environ(), crashStoreEnv+"="+path)
	service.Stderr = os.Stderr
	out, err := service.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := service.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = service.Process.Kill() // if there were fewer than killAfter acknowledgements
		_ = service.Wait()         // "signal: killed"
	}()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal("the service did not start: ", err)
	}
	url := "http://" + strings.TrimSpace(address) + plantsPath

	const clients = 8
	acknowledgements := make(chan int64)
	var group sync.WaitGroup
	for client := range int64(clients) {
		group.Go(func() {
			transport := &http.Transport{}
			defer transport.CloseIdleConnections()
			for id := firstID + client; createPlant(transport, url, id); id += clients {
				acknowledgements <- id
			}
		})
	}
	go func() {
		group.Wait()
		close(acknowledgements)
	}()

	var ids []int64
	for id := range acknowledgements {
		ids = append(ids, id)
		if len(ids) == killAfter {
			if err := service.Process.Kill(); err != nil {
				t.Error(err)
			}
		}
	}
	return ids
}

// createPlant reports whether the service acknowledged the plant.
func createPlant(transport *http.Transport, url string, id int64) bool {
	request, err := http.NewRequest(http.MethodPost, url, strings.NewReader(crashBody(id)))
	if err != nil {
		return false
	}
	request.Header.Set("Authorization", "Bearer "+crashToken)
	request.Header.Set("Content-Type", "application/json")
	response, err := transport.RoundTrip(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	return response.StatusCode == http.StatusOK
}

func crashName(id int64) string { return fmt.Sprintf("fern %d", id) }

func crashBody(id int64) string { return fmt.Sprintf(`{"name":%q,"id":%d}`, crashName(id), id) }
