import Testing

@testable import MediaImaging

@Suite("Messages of ImageMagick")
struct MagickMessageTests {
  @Test(
    "A message is told without the file's name and the place in the library's source",
    arguments: [
      (
        "length and filesize do not match `picture' @ error/bmp.c/ReadBMPImage/857",
        "length and filesize do not match"
      ),
      ("improper image header `a ` b' @ error/gif.c/ReadGIFImage/1032", "improper image header `a"),
      ("no words of a place", "no words of a place"), ("", "ImageMagick says 425"),
    ]
  )
  func words(reason: String, expected: String) {
    let message = MagickMessage(severity: 425, reason: reason, description: "")
    #expect(message.error?.detail == expected)
  }
}
