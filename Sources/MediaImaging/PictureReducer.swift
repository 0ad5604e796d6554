import CMagickWand
import CTurboJPEG
import MediaModel

/// Turns a decoded picture into small planes.
///
/// Source: ExportImagePixels (MagickCore 6), tjEncodeYUVPlanes (libjpeg-turbo 2.1).
final class PictureReducer {
  private let planeBuffer = PlaneBuffer()
  private let rowBuffer = PlaneBuffer()
  private let stripBuffer = PlaneBuffer()
  private let converter = tjInitCompress()

  deinit {
    if let converter { tjDestroy(converter) }
  }

  /// Gives a large picture's memory back.
  func trim(above byteCount: Int) {
    for buffer in [planeBuffer, rowBuffer, stripBuffer] where buffer.capacity > byteCount {
      buffer.release()
    }
  }

  /// Averages squares of `factor` pixels, on white, and converts them to planes.
  ///
  /// The mean over squares is what a JPEG's scaled decode is too, so the same factor is enough.
  func reduce(
    _ image: UnsafeMutablePointer<Image>,
    canvas: Canvas,
    factor: Int,
    exceptions: borrowing MagickExceptions
  ) throws(ImagingError) -> PlanarPicture {
    let isGray = image.pointee.colorspace == GRAYColorspace
    // A picture without transparency has no alpha: what stands in its place is whatever the memory
    // held before, another picture perhaps. (HEIC's reader writes three of the four samples.)
    let opaque: UInt32 = image.pointee.matte == MagickFalse ? 255 : 0
    let width = (canvas.size.width + factor - 1) / factor
    let height = (canvas.size.height + factor - 1) / factor
    let planes = try planeBuffer.planes(
      Array(repeating: (width: width, height: height), count: isGray ? 1 : 3)
    )
    // Rows of the picture for one row of squares, as RGBA; one row of squares as RGB.
    let rows = try rowBuffer.reserve(canvas.frame.width * 4 * factor)
    let strip = try stripBuffer.reserve(width * 3)
    var sums = [UInt32](repeating: 0, count: width * 3)
    var pointers: [UnsafeMutablePointer<UInt8>?] = planes.map(\.base)
    var strides = planes.map { Int32($0.stride) }
    for y in 0..<height {
      let first = y * factor
      let last = min(first + factor, canvas.size.height)
      let firstInside = max(first, canvas.top)
      let lastInside = min(last, canvas.top + canvas.frame.height)
      let insideCount = max(0, lastInside - firstInside)
      if insideCount > 0 {
        let status = ExportImagePixels(
          image,
          0,
          firstInside - canvas.top,
          canvas.frame.width,
          insideCount,
          "RGBA",
          CharPixel,
          rows,
          exceptions.pointer
        )
        guard status == MagickTrue else {
          throw exceptions.messages.compactMap(\.error).first
            ?? ImagingError(.internal, "ExportImagePixels")
        }
      }
      average(
        UnsafePointer(rows),
        rowCount: insideCount,
        opaque: opaque,
        canvas: canvas,
        factor: factor,
        squareHeight: last - first,
        into: strip,
        sums: &sums
      )
      if isGray {
        let row = planes[0].row(y)
        for x in 0..<width { row[x] = strip[3 * x] }
      } else {
        for index in 0..<3 { pointers[index] = planes[index].row(y) }
        guard
          tjEncodeYUVPlanes(
            converter,
            strip,
            Int32(width),
            0,
            1,
            TJPF_RGB.rawValue,
            &pointers,
            &strides,
            Int32(TJSAMP_444.rawValue),
            0
          ) == 0
        else { throw ImagingError(.internal, TurboJPEGMessage(converter).text) }
      }
    }
    return PlanarPicture(
      planes: planes,
      width: Double(canvas.size.width) / Double(factor),
      height: Double(canvas.size.height) / Double(factor)
    )
  }

  private func average(
    _ rows: UnsafePointer<UInt8>,
    rowCount: Int,
    opaque: UInt32,
    canvas: Canvas,
    factor: Int,
    squareHeight: Int,
    into strip: UnsafeMutablePointer<UInt8>,
    sums: inout [UInt32]
  ) {
    let squareCount = sums.count / 3
    sums.withUnsafeMutableBufferPointer { sums in
      sums.update(repeating: 0)
      for y in 0..<rowCount {
        var pixel = rows + y * canvas.frame.width * 4
        var (square, left) = (canvas.left / factor * 3, factor - canvas.left % factor)
        for _ in 0..<canvas.frame.width {
          let alpha = UInt32(pixel[3]) | opaque
          let white = (255 - alpha) * 255
          // Sums of value times alpha: 65,025 times the square of a factor of 16 fits.
          sums[square] &+= UInt32(pixel[0]) &* alpha &+ white
          sums[square + 1] &+= UInt32(pixel[1]) &* alpha &+ white
          sums[square + 2] &+= UInt32(pixel[2]) &* alpha &+ white
          pixel += 4
          left -= 1
          if left == 0 {
            left = factor
            square += 3
          }
        }
      }
      for index in 0..<squareCount {
        let first = index * factor
        let squareWidth = min(factor, canvas.size.width - first)
        let inside =
          max(
            0,
            min(first + squareWidth, canvas.left + canvas.frame.width) - max(first, canvas.left)
          )
          * rowCount
        let area = squareWidth * squareHeight
        let outside = (area - inside) * 65_025
        for channel in 0..<3 {
          let sum = Int(sums[3 * index + channel]) + outside
          strip[3 * index + channel] = UInt8((sum + area * 65_025 / 510) / (area * 255))
        }
      }
    }
  }
}
