// Leads back to where one was: a redirect keeps what stands behind the # of the address.
const form = document.querySelector('form');
form.action += location.hash;
