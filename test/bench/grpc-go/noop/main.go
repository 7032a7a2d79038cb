// A function of function-sdk-go that changes nothing: its answer desires what the request desires. `noop ADDRESS` serves.
package main

import (
	"context"
	"fmt"
	"os"

	function "github.com/crossplane/function-sdk-go"
	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/crossplane/function-sdk-go/response"
)

type noop struct {
	fnv1.UnimplementedFunctionRunnerServiceServer
}

func (noop) RunFunction(_ context.Context, request *fnv1.RunFunctionRequest) (*fnv1.RunFunctionResponse, error) {
	return response.To(request, response.DefaultTTL), nil
}

func main() {
	err := function.Serve(noop{},
		function.Listen("tcp", os.Args[1]),
		function.Insecure(true),
		function.MaxRecvMessageSize(64*1024*1024))
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
