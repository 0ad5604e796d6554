import MediaModel

/// A warning of libjpeg, which continues after each of them, and what it says of the picture.
///
/// The texts are fixed English ones; there are no numbers to compare.
///
/// Source: jerror.h of libjpeg-turbo 2.1, and what jdapimin.c, jdarith.c, jdhuff.c, jdicc.c, jdmarker.c, jdphuff.c and
/// turbojpeg.c warn of.
struct JPEGWarning {
  enum Meaning {
    /// Samples are missing, or are not those that were written.
    case missing
    /// A value in a header is odd, and libjpeg takes the usual one; every sample is there.
    case oddValue
    /// Every sample is there.
    case harmless
  }

  /// The constant of jerror.h.
  let name: String
  /// What its text has besides numbers.
  let text: String
  let meaning: Meaning

  private init(_ name: String, _ text: String, _ meaning: Meaning) {
    (self.name, self.text, self.meaning) = (name, text, meaning)
  }

  /// The warning of a text; nil for a text of no warning.
  static func of(_ text: String) -> JPEGWarning? { table.first { text.holds($0.text) } }

  /// In the order of jerror.h, the narrower text of a warning first.
  static let table: [JPEGWarning] = [
    // The number of components tells the colors, of three as of four.
    JPEGWarning("JWRN_ADOBE_XFORM", "Unknown Adobe color transform code", .oddValue),
    // The decoder ran into a code that nobody writes.
    JPEGWarning("JWRN_ARITH_BAD_CODE", "bad arithmetic code", .missing),
    // A scan refines bits of coefficients that no scan before it has: that scan is missing.
    JPEGWarning("JWRN_BOGUS_PROGRESSION", "Inconsistent progression sequence", .missing),
    // Behind the last scan some cameras pad, and every sample was read.
    JPEGWarning("JWRN_EXTRANEOUS_DATA", "extraneous bytes before marker 0xd9", .harmless),
    // Before any other marker they are coded data of which no block was made: the codes before them were misread.
    JPEGWarning("JWRN_EXTRANEOUS_DATA", "extraneous bytes before marker", .missing),
    // Zeros stand for the bits that are missing.
    JPEGWarning("JWRN_HIT_MARKER", "premature end of data segment", .missing),
    JPEGWarning("JWRN_HUFF_BAD_CODE", "bad Huffman code", .missing),
    // All revisions are read alike.
    JPEGWarning("JWRN_JFIF_MAJOR", "unknown JFIF revision number", .oddValue),
    // The file ends, and libjpeg makes an end of its own.
    JPEGWarning("JWRN_JPEG_EOF", "Premature end of JPEG file", .missing),
    // A part between two restart markers is missing.
    JPEGWarning("JWRN_MUST_RESYNC", "instead of RST", .missing),
    // Some writers leave the numbers at zero that only progressive scans need (jdhuff.c).
    JPEGWarning("JWRN_NOT_SEQUENTIAL", "Invalid SOS parameters for sequential JPEG", .oddValue),
    // About a call, not a file.
    JPEGWarning("JWRN_TOO_MUCH_DATA", "Application transferred too many scanlines", .harmless),
    // A profile is no part of the samples.
    JPEGWarning("JWRN_BOGUS_ICC", "bad ICC marker", .harmless),
  ]
}
