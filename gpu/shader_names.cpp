// SPDX-License-Identifier: Apache-2.0
#include "shader_names.h"

#include "embedded_shader.h"
#include "vulkan_device.h"

#include "kernels/kernels.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace coterie::gpu {

std::string shaderName(std::string_view operation, engine::TensorType type) {
    std::string name(engine::traits(type).name);
    for (char& c : name)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return std::string(operation) + '_' + name;
}

std::span<const engine::TensorType> shaderFormats() {
    static const std::vector<engine::TensorType> formats = [] {
        std::vector<engine::TensorType> compiled;
        std::ranges::copy_if(engine::supportedFormats(), std::back_inserter(compiled), [](engine::TensorType type) {
            return findShader(shaderName("product", type)) != nullptr;
        });
        return compiled;
    }();
    return formats;
}

bool hasShaders(engine::TensorType type) { return std::ranges::find(shaderFormats(), type) != shaderFormats().end(); }

std::string shuffleName(std::string shader, bool shuffles, const Abilities& abilities) {
    return std::move(shader) + (shuffles && abilities.shuffles ? "_shuffle" : "");
}

namespace {

std::string tunedName(std::string shader, const ProductTuning& tuning, const Abilities& abilities) {
    return shuffleName(std::move(shader), tuning.shuffles, abilities) + (tuning.integerDot ? "_dot" : "");
}

} // namespace

std::string productName(engine::TensorType type, const ProductTuning& tuning, const Abilities& abilities) {
    return tunedName(shaderName("product", type), tuning, abilities);
}

std::string neuronsName(engine::TensorType type, const ProductTuning& tuning, const Abilities& abilities) {
    return tunedName(shaderName("neurons", type), tuning, abilities);
}

uint32_t preparedWords(uint32_t columns) {
    return static_cast<uint32_t>(engine::preparedBytes(engine::VectorForm::Bytes, columns) / sizeof(uint32_t));
}

} // namespace coterie::gpu
