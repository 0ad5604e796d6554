import Foundation
import MediaModel
import Testing

@testable import MediaGallery

@Suite("The page that asks for a gallery's password")
struct GalleryLockTests {
  private let lock = GalleryLock(salt: Array(1...16), check: Array(101...116))

  @Test("The page has what opens the gallery, two scripts, and a style by its digest")
  func page() throws {
    let files = lock.files(in: .english) { _ in [UInt8]("digest".utf8) }
    #expect(files.prefix(3).map(\.path) == ["index.html", "gallery.js", "words.js"])
    // The sentences are those of any gallery.
    #expect(files.dropFirst(3).allSatisfy { $0.path.hasPrefix("languages/") } && files.count == 17)
    let page = String(decoding: files[0].bytes, as: UTF8.self)
    #expect(GalleryLock(page: files[0].bytes) == lock)
    #expect(page.contains("style-src 'sha256-\(Base64.text(Array("digest".utf8)))'"))
    #expect(page.contains("img-src 'self' blob:; media-src 'self' blob:; script-src 'self'; "))
    #expect(
      page.components(separatedBy: "<script").count == 3 && page.components(separatedBy: "<style").count == 2
    )
    // Who has no password learns no more from another gallery's page than from this one.
    let other = GalleryLock(salt: Array(2...17), check: lock.check)
      .files(in: .english) { _ in [UInt8]("digest".utf8) }
    #expect(other[1].bytes == files[1].bytes)
    let without = { (page: String, lock: GalleryLock) in page.replacing(Base64.text(lock.salt), with: "") }
    let otherPage = String(decoding: other[0].bytes, as: UTF8.self)
    #expect(without(page, lock) == without(otherPage, GalleryLock(salt: Array(2...17), check: lock.check)))
  }

  @Test("A page of another form opens nothing")
  func otherPages() {
    let rounds = GalleryLock.rounds
    let (salt, check) = (Base64.text(lock.salt), Base64.text(lock.check))
    #expect(GalleryLock(page: Array("<body data-lock=\"\(rounds) \(salt) \(check)\">".utf8)) == lock)
    for text in [
      "", "<body>", "data-lock=\"", "data-lock=\"\(rounds) \(salt)\"", "data-lock=\"1000 \(salt) \(check)\"",
      "data-lock=\"\(rounds) AAAA \(check)\"", "data-lock=\"\(rounds) \(salt) ====\"",
    ] {
      #expect(GalleryLock(page: Array(text.utf8)) == nil, "\(text)")
    }
  }

  @Test("A gallery with a password has no script and no icon of its own beside those that are not sealed")
  func sealedFiles() throws {
    var options = GalleryOptions(title: "Family")
    options.lock = lock
    let files = try GalleryTests.files(options: options, [])
    #expect(Set(files.keys) == ["index.html", "gallery.css", "layout.css"])
  }

  @Test(
    "Words that chance has chosen are enough, and one with a year is not",
    arguments: [
      ("", 0...0), ("password123", 10...25), ("Summer2024!", 25...35), ("hochzeit2024!", 25...35),
      ("aaaaaaaaaaaaaaaaaaaaaaaaaaaa", 10...35), ("12345678901234567890", 10...30),
      ("qwertyuiopasdf", 20...30), ("QWERTYuiopasdfghjklzxcvbnm", 20...49), ("1q2w3e4r5t6y7u8i9o0p", 20...35),
      ("1qaz2wsx3edc4rfv5tgb", 20...35),
      ("correct horse battery staple", 50...60), ("five words drawn by chance", 55...70),
      ("k7Fq2Lm9Xw4Tb8Rz5Hs3", 70...120), ("größer als fünf Häuser", 45...60),
    ]
  )
  func strength(password: String, range: ClosedRange<Int>) {
    let bits = PasswordStrength.bits(of: password)
    #expect(range.contains(bits), "\(password): \(bits)")
  }
}
