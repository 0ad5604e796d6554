#ifndef CTIMESTAMP_H
#define CTIMESTAMP_H

#include <stddef.h>
#include <stdint.h>

// Time-stamp requests and responses of RFC 3161, by OpenSSL's libcrypto (TS_*, X509_*). Nothing here reads or
// writes a file, and no function keeps what it was given.

// The facts of a response, of which nothing is known to be true before ctimestamp_verify has said so.
struct ctimestamp_facts {
  // The digest that the token is about; SHA-256, or the response is refused.
  unsigned char imprint[32];
  // When the token says that it was made: seconds since 1970-01-01T00:00:00Z.
  int64_t seconds;
  // The nonce in hexadecimal digits; empty without one.
  char nonce[130];
  // The subject of the signer's certificate, as RFC 2253 has it; cut to fit, ASCII.
  char signer[256];
};

enum {
  // The signature is that of the certificate in the token, by whomever that was issued.
  ctimestamp_signed = 1,
  // The signer's certificate is one that a trusted authority has issued for time stamping.
  ctimestamp_trusted = 2,
};

// Whether libcrypto can be loaded: 0 when it cannot, and then every other function fails.
int ctimestamp_is_available(void);

// Makes a request for a SHA-256 digest, with a nonce of 64 random bits, that asks for the signer's certificate.
// Returns the length of the DER bytes, which are written to `buffer`; 0 when they do not fit or libcrypto fails.
// Source: RFC 3161, section 2.4.1.
size_t ctimestamp_request(const unsigned char imprint[32], unsigned char *buffer, size_t capacity);

// Reads what a request asks for: its digest and its nonce. Returns 1, or 0 with a reason in `error`.
int ctimestamp_read_request(const unsigned char *bytes, size_t count, struct ctimestamp_facts *facts,
                            char *error, size_t capacity);

// Reads a response, which has to be a granted one for a SHA-256 digest with the certificate of its signer.
// Returns 1, or 0 with a reason in `error`. Source: RFC 3161, section 2.4.2.
int ctimestamp_read(const unsigned char *bytes, size_t count, struct ctimestamp_facts *facts, char *error,
                    size_t capacity);

// Whether a text has a certificate in PEM: 1, or 0 with a reason in `error`.
int ctimestamp_check_authorities(const char *authorities, size_t count, char *error, size_t capacity);

// Checks the signature of a response that is about a digest, at the time that the response states.
// `authorities` are PEM certificates that are trusted; with a count of 0 the certificate in the token is taken for
// one. Returns ctimestamp_trusted, ctimestamp_signed, or 0 with a reason in `error`.
// Source: RFC 3161, sections 2.3 and 2.4.2; RFC 5816 for the signer's certificate.
int ctimestamp_verify(const unsigned char *bytes, size_t count, const unsigned char imprint[32],
                      const char *authorities, size_t authorities_count, char *error, size_t capacity);

#endif
