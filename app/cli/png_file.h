// SPDX-License-Identifier: Apache-2.0
// Pictures and their PNG files (ISO/IEC 15948), as far as figures of a command need them. This is no library for
// images: it draws rectangles, and writes 8-bit RGB without compressing it. coterie-cli has no Qt and is built for
// three systems from Linux; a PNG library and its zlib would be its largest dependencies, for files of some hundred
// KiB.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::app {

/// Pixels in rows from the top, each 0xffRRGGBB.
class Picture {
  public:
    Picture(int width, int height, uint32_t ground)
        : width_(width), height_(height), pixels_(static_cast<size_t>(width) * static_cast<size_t>(height), ground) {}

    int width() const { return width_; }
    int height() const { return height_; }
    uint32_t at(int x, int y) const { return pixels_[placeOf(x, y)]; }
    /// Fills a rectangle; the part that lies outside the picture is left out.
    void fill(int x, int y, int width, int height, uint32_t colour);

  private:
    size_t placeOf(int x, int y) const {
        return static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x);
    }

    int width_, height_;
    std::vector<uint32_t> pixels_;
};

/// Returns the bytes of the file. description: ASCII; viewers of images show it among a file's properties.
std::string pngBytes(const Picture& picture, std::string_view description);

} // namespace coterie::app
