/// An estimate of how hard a password is to guess, without lists of words: what has many letters in a row counts as
/// words.
package enum PasswordStrength {
  /// The bits that a password of a gallery has to have: who has the folder can try passwords. At
  /// ``GalleryLock/rounds`` a graphics card tries some ten thousand a second, and needs a thousand years for half of
  /// 2 to the 50th power.
  package static let leastBits = 50

  /// The bits of a word of a list of 7,776.
  private static let wordBits = 13.0
  /// Keys beside each other, three of which in a row are as those of an alphabet.
  private static let walks = [
    "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "zxcvbnm", "1q2w3e4r5t6y7u8i9o0p",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
  ].flatMap { [$0, String($0.reversed())] }
  /// The most letters of one word.
  private static let wordLength = 8

  /// The estimate in bits, rounded down.
  package static func bits(of password: String) -> Int {
    var (bits, word) = (0.0, 0.0)
    var length = 0
    var pairs: Set<[Unicode.Scalar]> = []
    func ended() -> Double {
      min(word, wordBits * Double((length + wordLength - 1) / wordLength))
    }
    var last: Unicode.Scalar?
    var keys = ""
    for scalar in password.unicodeScalars {
      let isLetter = scalar.properties.isAlphabetic
      keys = String((keys + scalar.properties.lowercaseMapping).suffix(3))
      let isKnown = last.map { last in
        // As in abc, 321 and aaa, or as before.
        let isNear = abs(Int(scalar.value) - Int(last.value)) <= 1
        let isWalk = keys.count == 3 && walks.contains { $0.contains(keys) }
        return !pairs.insert([last, scalar]).inserted || isNear || isWalk
      }
      let isCapital = scalar.properties.isUppercase && last?.properties.isUppercase == false
      if !isLetter || isCapital {
        bits += ended()
        (word, length) = (0, 0)
      }
      let value = isKnown == true ? 1 : self.value(of: scalar)
      if isLetter {
        word += value
        length += 1
      } else {
        bits += value
      }
      last = scalar
    }
    return Int(bits + ended())
  }

  /// The bits of a character that is any of its kind.
  private static func value(of scalar: Unicode.Scalar) -> Double {
    if scalar.properties.isAlphabetic { return 4.7 }
    if scalar.properties.numericType != nil { return 3.3 }
    return scalar == " " || scalar == "-" ? 1 : 5
  }
}
