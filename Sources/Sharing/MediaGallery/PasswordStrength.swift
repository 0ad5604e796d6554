/// An estimate of how hard a password is to guess, without lists of words: letters that follow each other count as words.
package enum PasswordStrength {
  /// The bits that a password of a gallery has to have: who has the folder can try passwords, and a graphics card does
  /// some ten thousand a second at ``GalleryLock/rounds``, which takes 2 to the 50th power of them a thousand years.
  package static let leastBits = 50

  /// The bits of a word that is drawn from a list of 7,776.
  private static let wordBits = 13.0
  /// Letters that are at most one word.
  private static let wordLength = 8

  /// The estimate in bits, rounded down.
  package static func bits(of password: String) -> Int {
    var bits = 0.0
    var seen: Set<[Unicode.Scalar]> = []
    var (word, length) = (0.0, 0)
    func ended() -> Double {
      min(word, wordBits * Double((length + wordLength - 1) / wordLength))
    }
    var last: Unicode.Scalar?
    for scalar in password.unicodeScalars {
      defer { last = scalar }
      let isLetter = scalar.properties.isAlphabetic
      // A capital begins a word, unless all are capitals.
      let begins =
        last.map { !$0.properties.isAlphabetic || scalar.properties.isUppercase && $0.properties.isLowercase }
        ?? true
      if !isLetter || begins {
        bits += ended()
        (word, length) = (0, 0)
      }
      let isFollowing = last.map { abs(Int(scalar.value) - Int($0.value)) <= 1 } ?? false
      let isRepeated = last.map { !seen.insert([$0, scalar]).inserted } ?? false
      if isLetter {
        word += isFollowing || isRepeated ? 1 : begins ? 4.7 : 2.5
        length += 1
      } else if isFollowing || isRepeated {
        bits += 1
      } else {
        bits += scalar.properties.numericType == nil ? scalar == " " || scalar == "-" ? 1 : 5 : 3.3
      }
    }
    return Int(bits + ended())
  }
}
