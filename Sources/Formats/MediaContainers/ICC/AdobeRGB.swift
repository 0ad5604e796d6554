/// The color space Adobe RGB (1998), which cameras state by an index in Exif in place of a profile.
enum AdobeRGB {
  /// A profile of its colors, in the form in which ``ICCProfile/cleaned(_:)`` leaves it.
  ///
  /// Source: Adobe RGB (1998) Color Image Encoding, version 2005-05, section 4.3 and annex C, adapted to
  /// D50; ICC.1:2001-04 for the layout.
  static let profile: [UInt8] = {
    let curve = Array("curv".utf8) + 0.bytes(4) + 1.bytes(4) + [0x02, 0x33, 0, 0]
    func point(_ x: Int, _ y: Int, _ z: Int) -> [UInt8] {
      Array("XYZ ".utf8) + 0.bytes(4) + x.bytes(4) + y.bytes(4) + z.bytes(4)
    }
    // In parts of 65,536.
    let tags: [(String, [UInt8])] = [
      ("wtpt", point(0xF351, 0x1_0000, 0x1_16CC)),
      ("rXYZ", point(0x9C18, 0x4FA5, 0x04FC)), ("gXYZ", point(0x348D, 0xA02C, 0x0F95)),
      ("bXYZ", point(0x2631, 0x102F, 0xBE9C)),
      ("rTRC", curve), ("gTRC", curve), ("bTRC", curve),
    ]
    var table = tags.count.bytes(4)
    var data: [UInt8] = []
    let start = 128 + 4 + 12 * tags.count
    for (name, bytes) in tags {
      table += Array(name.utf8) + (start + data.count).bytes(4) + bytes.count.bytes(4)
      data += bytes
    }
    var header = (start + data.count).bytes(4) + 0.bytes(4) + [2, 0x10, 0, 0]
    header += Array("mntrRGB XYZ ".utf8) + [UInt8](repeating: 0, count: 12) + Array("acsp".utf8)
    header += [UInt8](repeating: 0, count: 28) + 0xF6D6.bytes(4) + 0x1_0000.bytes(4)
    header += 0xD32D.bytes(4)
    header += [UInt8](repeating: 0, count: 128 - header.count)
    return ICCProfile.cleaned(header + table + data) ?? []
  }()

  /// Returns whether an Exif block states this color space: it is uncalibrated, with the interoperability
  /// index of DCF's optional files.
  ///
  /// Source: Exif 2.32, tags 0xA001 and 0x0001; JEITA CP-3461, "R03".
  static func isStated(in exif: TIFFBlock) -> Bool {
    guard let camera = number(TIFFTag.exifIFD, at: exif.firstDirectory, in: exif),
      number(0xA001, at: camera, in: exif) == 0xFFFF,
      let interoperability = number(0xA005, at: camera, in: exif)
    else { return false }
    var isStated = false
    exif.forEachEntry(ofDirectoryAt: interoperability) { entry in
      if entry.tag == 1, exif.source.holds("R03", at: entry.value.lowerBound) { isStated = true }
    }
    return isStated
  }

  private static func number(_ tag: Int, at directory: Int, in exif: TIFFBlock) -> Int? {
    var number: Int?
    exif.forEachEntry(ofDirectoryAt: directory) { entry in
      if entry.tag == tag { number = number ?? exif.number(entry) }
    }
    return number
  }
}
