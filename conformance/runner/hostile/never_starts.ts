/** Does not even answer `hello`. */
setInterval(() => {}, 1000);
