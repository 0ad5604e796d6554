package import MediaModel

/// A page of a contact sheet, drawn picture by picture.
package final class ContactSheetPage {
  private let page: Wand
  private let background: RGBColor
  private let pictures: ImageThumbnailer

  /// Makes a page without pictures.
  ///
  /// - Parameters:
  ///   - size: The page's size in pixels; at most ``maximumPixels``.
  ///   - background: The color of the page.
  ///   - limits: The limits of each picture.
  /// - Throws: `overLimit` for a page that is too large.
  package init(
    size: PixelSize,
    background: RGBColor,
    limits: ImagingLimits = ImagingLimits()
  ) throws(ImagingError) {
    guard (1...65_000).contains(size.width), (1...65_000).contains(size.height),
      size.width * size.height <= ContactSheetCell.maximumPixels
    else {
      throw ImagingError(.overLimit, "a page of \(size.width)x\(size.height) pixels")
    }
    page = try Wand(size: size, color: background)
    self.background = background
    pictures = ImageThumbnailer(limits: limits)
  }

  /// Draws a picture in the middle of a cell, reduced if it is larger.
  ///
  /// - Parameters:
  ///   - bytes: The whole file; read during the call only.
  ///   - format: The format found by content.
  ///   - cell: The place on the page.
  /// - Throws: ``ImagingError``; the cell then stays empty.
  package func draw(
    _ bytes: UnsafeRawBufferPointer,
    format: MediaFormat,
    in cell: ContactSheetCell
  ) throws(ImagingError) {
    let picture = try pictures.opaquePicture(
      of: bytes,
      format: format,
      orientation: 1,
      box: cell.size,
      background: background
    )
    let size = picture.size
    try page.draw(
      try Wand(picture),
      left: cell.left + (cell.size.width - size.width) / 2,
      top: cell.top + (cell.size.height - size.height) / 2
    )
  }

  /// Draws the label of a cell below it, in the middle; a long one is cut in its middle, so that its
  /// number and its ending stay.
  ///
  /// - Throws: `decoderMissing` without the font.
  package func drawLabel(of cell: ContactSheetCell) throws(ImagingError) {
    guard !cell.label.isEmpty else { return }
    let font = try WandFont(size: cell.labelSize, color: background.contrasting)
    let (text, width) = try fitting(cell.label, font, within: Double(cell.size.width))
    guard !text.isEmpty else { return }
    try page.draw(
      text,
      in: font,
      left: cell.left + max(0, (cell.size.width - Int(width.rounded(.up))) / 2),
      baseline: cell.top + cell.size.height + cell.labelSize * 5 / 4
    )
  }

  /// Returns the longest form of a label that is not wider than a number of pixels.
  private func fitting(
    _ label: String,
    _ font: WandFont,
    within width: Double
  ) throws(ImagingError) -> (text: String, width: Double) {
    let characters = Array(label)
    // Labels have fewer than 256 characters, so this is at most eight steps.
    var (shortest, longest) = (0, characters.count)
    var best = ("", 0.0)
    while shortest <= longest {
      let count = (shortest + longest) / 2
      let text = Self.shortened(characters, to: count)
      let measured = try page.width(of: text, in: font)
      if measured <= width {
        best = (text, measured)
        shortest = count + 1
      } else {
        longest = count - 1
      }
    }
    return best
  }

  /// Returns a text with this many of its characters, half from either end.
  private static func shortened(_ characters: [Character], to count: Int) -> String {
    if count >= characters.count { return String(characters) }
    if count == 0 { return "" }
    return String(characters.prefix((count + 1) / 2)) + "…" + String(characters.suffix(count / 2))
  }

  /// Encodes the page as a JPEG without metadata.
  ///
  /// - Parameter quality: 1 to 100.
  /// - Returns: A whole file, RGB.
  /// - Throws: `overLimit` if memory runs out.
  package func jpeg(quality: Int) throws(ImagingError) -> [UInt8] {
    try page.jpeg(quality: quality, keepsChroma: false)
  }
}

extension RGBColor {
  /// Black or white, whichever can be read better on this color.
  ///
  /// Source: the luma of JFIF.
  fileprivate var contrasting: RGBColor {
    let luma = 299 * Int(red) + 587 * Int(green) + 114 * Int(blue)
    return luma > 127_500 ? RGBColor(red: 0, green: 0, blue: 0) : .white
  }
}
