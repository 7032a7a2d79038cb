// Calls functions with grpc-go, as Crossplane does (crossplane/crossplane 2d040d2 internal/xfn/function_runner.go: one
// connection to a function, grpc.NewClient without options for windows).
//
// `client REQUEST...` reads turns on stdin, "ADDRESS CALLERS MILLISECONDS CALLS" each, and answers each with a line of JSON: the
// nanoseconds of every call, and those of the turn. A turn lasts as long as asked, and has as many calls as asked at least.
// The requests are files with the bytes of a message, taken in turn. No message is encoded or decoded: Crossplane pays for that
// with every function alike.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
)

const (
	method   = "/apiextensions.fn.proto.v1.FunctionRunnerService/RunFunction"
	maxBytes = 64 * 1024 * 1024
)

// asBytes leaves messages as they are. Its name goes into the content type.
type asBytes struct{}

func (asBytes) Name() string { return "proto" }

func (asBytes) Marshal(message any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(message.([]byte))}, nil
}

func (asBytes) Unmarshal(data mem.BufferSlice, message any) error {
	*message.(*[]byte) = data.Materialize()
	return nil
}

var _ encoding.CodecV2 = asBytes{}

type turn struct {
	CallsNs []int64 `json:"callsNs"`
	TurnNs  int64   `json:"turnNs"`
}

func main() {
	requests := make([][]byte, 0, len(os.Args)-1)
	for _, file := range os.Args[1:] {
		request, err := os.ReadFile(file)
		exitOn(err)
		requests = append(requests, request)
	}
	connections := map[string]*grpc.ClientConn{}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var address string
		var callers, milliseconds, calls int
		_, err := fmt.Sscan(lines.Text(), &address, &callers, &milliseconds, &calls)
		exitOn(err)
		if connections[address] == nil {
			connections[address], err = grpc.NewClient("dns:///"+address,
				grpc.WithTransportCredentials(insecure.NewCredentials()),
				grpc.WithDefaultCallOptions(grpc.ForceCodecV2(asBytes{}), grpc.MaxCallRecvMsgSize(maxBytes)))
			exitOn(err)
		}
		done := take(connections[address], requests, callers, time.Duration(milliseconds)*time.Millisecond, calls)
		exitOn(json.NewEncoder(os.Stdout).Encode(done))
	}
}

func take(connection *grpc.ClientConn, requests [][]byte, callers int, length time.Duration, calls int) turn {
	var taken atomic.Int64
	var mutex sync.Mutex
	var group sync.WaitGroup
	done := turn{}
	started := time.Now()
	for range callers {
		group.Go(func() {
			for {
				number := taken.Add(1) - 1
				if number >= int64(calls) && time.Since(started) > length {
					return
				}
				from := time.Now()
				var response []byte
				exitOn(connection.Invoke(context.Background(), method, requests[number%int64(len(requests))], &response))
				ns := time.Since(from).Nanoseconds()
				if len(response) == 0 {
					exitOn(fmt.Errorf("cannot use the answer of a call: it has no bytes"))
				}
				mutex.Lock()
				done.CallsNs = append(done.CallsNs, ns)
				mutex.Unlock()
			}
		})
	}
	group.Wait()
	done.TurnNs = time.Since(started).Nanoseconds()
	return done
}

func exitOn(err error) {
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
