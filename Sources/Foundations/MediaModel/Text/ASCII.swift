/// Classes and names of ASCII characters, as bytes of UTF-8. Other modules compile them into their loops.
extension UInt8 {
  /// Whether it is one of `0-9`.
  @inlinable package var isASCIIDigit: Bool { 0x30...0x39 ~= self }
  /// Whether it is one of `A-Z`.
  @inlinable package var isASCIIUppercase: Bool { 0x41...0x5A ~= self }
  /// Whether it is one of `a-z`.
  @inlinable package var isASCIILowercase: Bool { 0x61...0x7A ~= self }
  /// Whether it is one of `A-Z a-z`.
  @inlinable package var isASCIILetter: Bool { isASCIIUppercase || isASCIILowercase }
  /// Whether it is one of `A-Z a-z 0-9`.
  @inlinable package var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }
  /// The small letter of one of `A-Z`; any other byte as it is.
  @inlinable package var asciiLowercased: UInt8 { isASCIIUppercase ? self | 0x20 : self }

  /// The character `\n`.
  @inlinable package static var newline: UInt8 { 0x0A }
  /// The character ` `.
  @inlinable package static var space: UInt8 { 0x20 }
  /// The character `,`.
  @inlinable package static var comma: UInt8 { 0x2C }
  /// The character `-`.
  @inlinable package static var hyphen: UInt8 { 0x2D }
  /// The character `.`.
  @inlinable package static var dot: UInt8 { 0x2E }
  /// The character `/`.
  @inlinable package static var slash: UInt8 { 0x2F }
  /// The character `:`.
  @inlinable package static var colon: UInt8 { 0x3A }
  /// The character `_`.
  @inlinable package static var underscore: UInt8 { 0x5F }
}
