// SPDX-License-Identifier: Apache-2.0
// See shader_run.h.
#include "shader_run.h"

#include "command_list.h"
#include "device_buffer.h"
#include "shader_program.h"

#include <cstring>
#include <memory>
#include <string>

namespace coterie::gpu {

using engine::Error;
using engine::ErrorKind;
using engine::Result;
using engine::Status;

namespace {

constexpr int kUnwritten = 0xCD;

/// Whether the call has the shader's bindings, each in its direction.
Status check(const ShaderInterface& shader, const ShaderCall& call) {
    bool fits = call.bindings.size() == shader.bindings.size();
    for (size_t i = 0; fits && i < call.bindings.size(); ++i) {
        const bool output = std::holds_alternative<ShaderOutput>(call.bindings[i]);
        fits = shader.bindings[i].writes == output && shader.bindings[i].reads != output;
    }
    if (fits) return {};
    return Error{ErrorKind::Internal,
                 "A shader was called in a wrong way",
                 {"The bindings of %1 are others", std::string(call.shader)},
                 "Report this as a bug"};
}

Result<std::vector<DeviceBuffer>> fillBuffers(const VulkanDevice& device, const ShaderCall& call) {
    std::vector<DeviceBuffer> buffers;
    for (const ShaderBinding& binding : call.bindings) {
        const auto* input = std::get_if<ShaderInput>(&binding);
        const size_t size = input != nullptr ? input->bytes.size() : std::get<ShaderOutput>(binding).bytes.size();
        const HostAccess access = input != nullptr ? HostAccess::Writes : HostAccess::Reads;
        Result<DeviceBuffer> buffer = DeviceBuffer::create(device, size, access);
        if (!buffer) return buffer.error();
        if (input != nullptr)
            std::memcpy(buffer->bytes().data(), input->bytes.data(), size);
        else
            std::memset(buffer->bytes().data(), kUnwritten, size);
        buffers.push_back(std::move(buffer).value());
    }
    return buffers;
}

} // namespace

Status runShader(VulkanDevice& device, const ShaderCall& call) {
    Result<const ShaderProgram*> program = device.program(call.shader, call.specialisation);
    if (!program) return program.error();
    if (Status fits = check((*program)->interface(), call); !fits) return fits;
    Result<std::vector<DeviceBuffer>> buffers = fillBuffers(device, call);
    if (!buffers) return buffers.error();
    Result<std::unique_ptr<CommandList>> commands = CommandList::create(device, 1);
    if (!commands) return commands.error();
    Dispatch dispatch{.shader = call.shader,
                      .specialisation = call.specialisation,
                      .bindings = {},
                      .push = call.push,
                      .groups = call.groups};
    for (const DeviceBuffer& buffer : *buffers) dispatch.bindings.push_back(&buffer);
    if (Status begun = (*commands)->begin(); !begun) return begun;
    if (Status recorded = (*commands)->dispatch(dispatch); !recorded) return recorded;
    if (Status ended = (*commands)->end(); !ended) return ended;
    if (Status done = (*commands)->run(); !done) return done;
    for (size_t i = 0; i < buffers->size(); ++i)
        if (const auto* out = std::get_if<ShaderOutput>(&call.bindings[i]))
            std::memcpy(out->bytes.data(), (*buffers)[i].bytes().data(), out->bytes.size());
    return {};
}

} // namespace coterie::gpu
