# SPDX-License-Identifier: MIT
"""What a user of HIP Python does with hip and hiprtc, one line for each step."""

import ctypes
import sys

try:
    from rocm.bindings import hip, hiprtc

    NEW = True
except ImportError:
    from hip import hip, hiprtc  # the name up to 7.2

    NEW = False

SIZE = 4096
SOURCE = b'extern "C" __global__ void fill(int *to, int value) { to[threadIdx.x] = value; }'


def step(name, value=""):
    print(f"{name}: {value}".rstrip(": "), flush=True)


def call(name, answer):
    """The values after the error, without those that are addresses."""
    error, *values = answer if isinstance(answer, tuple) else (answer,)
    plain = [str(value) for value in values if isinstance(value, (bool, bytes, float, int, str))]
    step(name, " ".join([str(error).split(".")[-1], *plain]))
    return values[0] if values else None


def filled(name, structure, function, argument):
    """The structure that a function fills: an argument up to 7.2, returned from 10.0 on."""
    if NEW:
        return call(name, function(argument))
    made = structure()
    call(name, function(made, argument))
    return made


def tell_device():
    call("device count", hip.hipGetDeviceCount())
    properties = filled("properties", hip.hipDeviceProp_t, hip.hipGetDeviceProperties, 0)
    for name in (
        "name",
        "gcnArchName",
        "totalGlobalMem",
        "warpSize",
        "maxThreadsPerBlock",
        "sharedMemPerBlock",
        "multiProcessorCount",
        "pciBusID",
        "managedMemory",
    ):
        step(f"  {name}", getattr(properties, name))
    for name in (
        "hipDeviceAttributeWarpSize",
        "hipDeviceAttributeMaxThreadsPerBlock",
        "hipDeviceAttributeManagedMemory",
        "hipDeviceAttributeMultiprocessorCount",
    ):
        call(f"  {name}", hip.hipDeviceGetAttribute(getattr(hip.hipDeviceAttribute_t, name), 0))
    call("runtime version", hip.hipRuntimeGetVersion())
    call("free memory", hip.hipMemGetInfo())


def kind(name, pointer):
    attributes = filled(
        f"kind of {name}", hip.hipPointerAttribute_t, hip.hipPointerGetAttributes, pointer
    )
    step("  type", getattr(attributes, "type", None))
    step("  managed", attributes.isManaged)


def use_memory():
    device = call("hipMalloc", hip.hipMalloc(SIZE))
    pinned = call("hipHostMalloc", hip.hipHostMalloc(SIZE, 0))
    managed = call("hipMallocManaged", hip.hipMallocManaged(SIZE, hip.hipMemAttachGlobal))
    for name, pointer in (("device", device), ("pinned", pinned), ("managed", managed)):
        kind(name, pointer)
    host = (ctypes.c_ubyte * SIZE)()
    stream = call("hipStreamCreate", hip.hipStreamCreate())
    call("hipMemsetAsync", hip.hipMemsetAsync(device, 0x5A, SIZE, stream))
    call("hipStreamSynchronize", hip.hipStreamSynchronize(stream))
    call("hipMemcpy", hip.hipMemcpy(host, device, SIZE, hip.hipMemcpyKind.hipMemcpyDeviceToHost))
    step("  bytes", f"{min(host)} {max(host)}")
    event = call("hipEventCreate", hip.hipEventCreate())
    call("hipEventRecord", hip.hipEventRecord(event, stream))
    call("hipEventSynchronize", hip.hipEventSynchronize(event))
    call("hipFree", hip.hipFree(managed))
    call("hipHostFree", hip.hipHostFree(pinned))
    return device, stream


def use_kernel(device, stream):
    program = call(
        "hiprtcCreateProgram", hiprtc.hiprtcCreateProgram(SOURCE, b"fill", 0, None, None)
    )
    properties = filled("properties", hip.hipDeviceProp_t, hip.hipGetDeviceProperties, 0)
    target = properties.gcnArchName
    options = [b"--offload-arch=" + (target.encode() if isinstance(target, str) else target)]
    call("hiprtcCompileProgram", hiprtc.hiprtcCompileProgram(program, len(options), options))
    size = hiprtc.hiprtcGetCodeSize(program)[1]
    code = bytearray(size)
    call("hiprtcGetCode", hiprtc.hiprtcGetCode(program, code))
    module = call("hipModuleLoadData", hip.hipModuleLoadData(code))
    kernel = call("hipModuleGetFunction", hip.hipModuleGetFunction(module, b"fill"))
    call(
        "hipModuleLaunchKernel",
        hip.hipModuleLaunchKernel(
            kernel,
            gridDimX=1,
            gridDimY=1,
            gridDimZ=1,
            blockDimX=64,
            blockDimY=1,
            blockDimZ=1,
            sharedMemBytes=0,
            stream=stream,
            kernelParams=None,
            extra=(device, ctypes.c_int(7)),
        ),
    )
    call("hipStreamSynchronize", hip.hipStreamSynchronize(stream))
    call("hipModuleUnload", hip.hipModuleUnload(module))


def main():
    tell_device()
    device, stream = use_memory()
    use_kernel(device, stream)
    call("hipMalloc of too much", hip.hipMalloc(1 << 60))
    call("hipGetLastError", hip.hipGetLastError())
    call("hipFree", hip.hipFree(device))
    call("hipStreamDestroy", hip.hipStreamDestroy(stream))


sys.exit(main())
